import type { Command, Redirection } from 'unbash'
import { MESSAGES } from '../directory.ts'
import { nameOf } from '../facts.ts'
import { isInput } from '../input.ts'
import { isOutput } from '../outputs.ts'
import { some } from '../walk.ts'
import { oneWord } from '../words.ts'
import type { Output, Rule, Work } from '../work.ts'
import { isOfErrors } from './function-calls.ts'
import { frame, keptInput, ownPath, storedOrReturn } from './isolated.ts'
import { withMissing } from './missing-files.ts'
import { hasPattern, withNames } from './pathnames.ts'
import { intoFile, isOfFile, opened, openedOutput } from './redirected-output.ts'
import { lacksInput } from './shared-input.ts'

/** Programs of the engine that end before what they print is in the file that it goes to. */
const LATE: ReadonlySet<string> = new Set(
  'curl cut egrep fgrep find grep head ls sed sort tail tr uniq'.split(' '),
)

/** Whether a command ends before its output is in a file. `cat` writes a here-document in time: it is never that long. */
export function isLate(command: Command): boolean {
  const name = nameOf(command)
  if (name !== 'cat') return name !== undefined && LATE.has(name)
  const input = command.redirects.findLast(isInput)
  return command.args.length > 0 || input?.type !== 'HereDoc'
}

/** Takes the output of such a command from its text: {@link fileOutput} writes it. */
export const takeOutput: Rule<'Command'> = (node, { script, facts, outputs }) => {
  const name = nameOf(node)
  if (name === undefined || facts.functions.has(name) || !isLate(node)) return
  const found = node.redirects.filter(isOutput)
  const [one] = found
  if (one?.type !== 'Redirect' || found.length > 1 || one.target === undefined) return
  if (
    one.target.text.startsWith('/dev/') ||
    node.redirects.some((other) => isToOutput(other) && other.pos < one.pos)
  )
    return
  const both = one.operator === '&>' || one.operator === '&>>'
  const to = oneWord(one.target, script)
  script.replace(one, both ? '2>&1' : '')
  outputs.set(node, { operator: one.operator.endsWith('>>') ? '>>' : '>', to, one })
}

/** Such programs that say what is wrong where their status is not 0. */
const TELLING: ReadonlySet<string> = new Set('cat cut find head ls sed sort tail tr uniq'.split(' '))

/** Whether a program has status 0 where it has written no message. */
function isTelling(node: Command, output: Redirection): boolean {
  const name = nameOf(node) ?? ''
  if (!TELLING.has(name) || node.redirects.length > 1) return false
  if (output.type === 'Redirect' && output.operator.startsWith('&')) return false
  const silent = name === 'sed' ? /q/i : name === 'sort' ? /^-.*c/i : undefined
  return silent === undefined || !node.args.some(({ text }) => silent.test(text))
}

/**
 * Writes the output of a program to its file by way of `cat`, which ends when all is there, and runs it again for its
 * status, unless that can be told from its messages. A program that may do more than print runs once, as a function.
 */
export const fileOutput: Rule<'Command'> = (node, work, place) => {
  const output = work.outputs.get(node)
  if (output === undefined) return
  const { operator, to, one, once } = output
  const text = work.script.text(node).trim()
  const missing = once === undefined ? withMissing(node, work) : undefined
  const other = once ?? missing
  const isRepeatable = once !== undefined || !(mayChange(node) || text.startsWith('__ssr_'))
  if (work.script.compounded.has(node) || !isRepeatable) {
    const chosen = other === undefined ? text : `if ${other.there}; then ${text}; else ${other.text}; fi`
    work.script.compounded.delete(node)
    intoFile(
      node,
      { text: chosen, command: node, redirects: [one], inputs: [''], isShell: true },
      work,
      place,
    )
    return
  }
  const lines = [`__ssr_to=${to}`, ...(once?.begins ?? opens(node, output, work))]
  let input = ''
  if (work.inputs.reads(node) && work.inputs.isThere(place, work.input)) input = `${keptInput(lines, work)} `
  else if (lacksInput(node, work, place)) input = '< /dev/null '
  const sole = other === undefined ? "'' '' ''" : missing?.sole
  const isPlain = input === '' && operator === '>' && /^[a-z]/.test(text) && isTelling(node, one)
  if (isPlain && sole !== undefined && node.redirects.length === 1) {
    work.script.replace(node, `__ssr_into ${MESSAGES}${work.next()} ${to} ${sole} ${text}`)
    return
  }
  const write = `| ${storedOrReturn(`"$__ssr_to"`, operator)}`
  const written = (program: string) => {
    const again = `${input}${program} > /dev/null 2> /dev/null`
    if (!isTelling(node, one)) return [`${input}${program} ${write}`, again]
    const said = ownPath(work)
    return [
      `${input}${program} 2> ${said} ${write}`,
      `[ -s ${said} ] || return 0`,
      `'cat' ${said} >&2`,
      again,
    ]
  }
  if (other === undefined) lines.push(...written(text))
  else lines.push(`if ${other.there}; then`, ...written(text), 'else', ...written(other.text), 'fi')
  work.script.replace(node, frame(lines, work))
}

/** Opens the files of a command in their order. */
function opens(node: Command, { operator, one }: Output, { script }: Work): string[] {
  return node.redirects.flatMap((other) => {
    if (other === one) return [openedOutput(operator)]
    return isInput(other) && isOfFile(other) ? [opened(script.text(other))] : []
  })
}

/** Expansions of a redirection that are the same behind a `set --`. */
const NAMED = /\$(?:[A-Za-z_]|\{[A-Za-z_]\w*\})/g

/** Looks whether all arguments are files. */
const LOOK = `local __ssr_odd=''; for __ssr_file in "$@"; do if '[' -f "$__ssr_file" ']'; then :; else __ssr_odd=1; fi; done`

/**
 * Has the arguments of `cat` expanded before it runs, and once. As a function, like other programs whose arguments may change
 * something, it would lose bytes that are no text. A program of ours takes its place where an argument is no file.
 */
export const argumentsOfCat: Rule<'Command'> = (node, work) => {
  const { script, outputs } = work
  const output = outputs.get(node)
  if (output === undefined || nameOf(node) !== 'cat' || script.compounded.has(node)) return
  if (!mayChange(node) && !hasPattern(node, work)) return
  const others = node.redirects.filter((other) => other !== output.one)
  const redirections = others.map((other) => script.text(other)).join(' ')
  if (!/^cat\b/.test(script.text(node)) || redirections.replace(NAMED, '').includes('$')) return
  const sets = withNames(`set -- ${node.args.map((one) => script.text(one)).join(' ')}`, work)
  const once = {
    begins: [sets, ...opens(node, output, work), LOOK],
    there: `'[' -z "$__ssr_odd" ']'`,
    text: `${work.program('cat-visible')} "$@" ${redirections}`,
  }
  outputs.set(node, { ...output, once })
  script.replace(node, `cat "$@" ${redirections}`)
}

/** Whether running it twice is not what running it once is. */
function mayChange(node: Command): boolean {
  const name = nameOf(node)
  const acts = name === 'find' || name === 'sed'
  return (
    name === 'curl' ||
    node.redirects.some(isErrorFile) ||
    some(
      node,
      ({ node: one }) =>
        one.type === 'CommandExpansion' ||
        one.type === 'ArithmeticExpansion' ||
        one.type === 'ParameterExpansion' ||
        (acts && one.type === 'Word' && /^-(?:exec|ok|delete|i|-in-place)/.test(one.text)),
    )
  )
}

function isToOutput(one: Redirection): boolean {
  return one.type === 'Redirect' && one.operator === '>&' && one.target?.text === '1'
}

/** Whether a redirection writes messages to a file: a second run would write them once more, or none. */
function isErrorFile(one: Redirection): boolean {
  if (one.type !== 'Redirect' || one.target?.text === '/dev/null') return false
  return isOfErrors(one) && /^>[>|]?$/.test(one.operator)
}
