import type { Redirection, SyntaxNode } from 'unbash'
import { nameOf, scopeOf } from '../facts.ts'
import { isInput } from '../input.ts'
import { isOutput, isToErrors } from '../outputs.ts'
import { refuse } from '../refusal.ts'
import { within } from '../script.ts'
import { stateOf } from '../state.ts'
import { isStage, type Place } from '../walk.ts'
import { oneWord } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { leaving } from './exits.ts'
import { absolute, frame, isolated, keptInput, ownPath } from './isolated.ts'

/** A compound command whose output goes to a file, and a subshell that is redirected. */
export const redirectedCompound: Rule<'Redirected'> = (node, work, place) => {
  const { command } = node
  const redirects = node.redirects.filter((one) => work.script.text(one).trim() !== '')
  const inputs = redirects.map((one) => work.script.text(one))
  const isShell = command.type === 'Subshell'
  const isFed = redirects.some(isInput) || isReading(command, work, place)
  if (!redirects.some((one) => isOutput(one) || isToErrors(one)) && !(isShell && isFed)) return
  const range = isShell ? within(command) : command
  intoFile(node, { text: work.script.text(range), command, redirects, inputs, isShell }, work, place)
}

/** A subshell has no standard input in the engine. */
export const subshell: Rule<'Subshell'> = (node, work, place) => {
  if (place.outer?.node.type === 'Redirected' || isStage(place) || !isReading(node, work, place)) return
  const text = work.script.text(within(node))
  intoFile(node, { text, command: node, redirects: [], inputs: [], isShell: true }, work, place)
}

interface Output {
  readonly text: string
  /** What runs, for what it reads and changes. */
  readonly command: SyntaxNode
  readonly redirects: readonly Redirection[]
  /** The redirections as they are written now. */
  readonly inputs: readonly string[]
  /** What it changes is gone after it. */
  readonly isShell: boolean
  /** It reads its standard input; what its words tell where it is left out. */
  readonly reads?: boolean
}

/**
 * Runs commands with their output in a file. In a group with `>` the engine sets no status, does not know `break` and `return`,
 * and what was printed before gets into the file: they run in a shell of their own, and the variables are taken over.
 */
export function intoFile(
  node: SyntaxNode,
  { text, command, redirects, inputs, isShell, reads }: Output,
  work: Work,
  place: Place,
): void {
  const { script, facts } = work
  const { names, other } = isShell ? { names: [], other: undefined } : stateOf(command, facts)
  if (other !== undefined)
    refuse(`${other} in commands whose output goes to a file`, 'redirect the commands one by one')
  const lines: string[] = []
  let input: string | undefined
  let output: string | undefined
  let errors: string | undefined
  for (const [index, one] of redirects.entries()) {
    if (one.type === 'Redirect' && isOutput(one) && !isToErrors(one) && one.target !== undefined) {
      const operator = one.operator === '>>' || one.operator === '&>>' ? '>>' : '>'
      const [sets, settles] = absolute('__ssr_to', oneWord(one.target, script))
      lines.push(sets, openedOutput(operator), settles)
      output = `${operator} "$__ssr_to"`
    } else if (isInput(one)) {
      input = inputs[index]
      if (isOfFile(one)) lines.push(opened(input ?? ''))
    } else if (isToErrors(one)) output = errors = `> ${ownPath(work)}`
    else refuse(`the redirection ${script.written(one)} here`, 'redirect the commands one by one')
  }
  if (
    input === undefined &&
    (reads === undefined ? isReading(command, work, place) : reads && work.inputs.isThere(place, work.input))
  )
    input = keptInput(lines, work)
  if (
    input === undefined &&
    (reads ?? work.inputs.reads(command)) &&
    !work.inputs.isThereThrough(place, work.input)
  )
    input = '< /dev/null'
  const isCall = command.type === 'Command'
  const isEnding =
    !isShell && (isCall ? facts.ending.has(nameOf(command) ?? '') : text.includes('__ssr_exit'))
  const taken = [...names, ...(isEnding ? ['__ssr_exit'] : [])]
  const { run, status, take } = isolated(text, { input, output }, work, taken)
  const call = frame([...lines, run, ...shown(errors), `${take}return ${status}`], work)
  script.replace(node, isEnding && !isCall ? leaving(call, scopeOf({ node, outer: place.outer })) : call)
}

/** Whether a redirection opens a file that may not be there. */
export function isOfFile(one: Redirection): boolean {
  return one.type === 'Redirect' && one.operator === '<'
}

/** Opens an input, and leaves the function with a message where that fails. */
export function opened(input: string): string {
  return `{ :; } ${input} || return 1`
}

/** Opens the file of an output, and leaves the function with a message where that fails: of a builtin the engine does not tell why. */
export function openedOutput(operator: string): string {
  return `{ 'cat' ${operator} "$__ssr_to"; } < /dev/null || return 1`
}

/** Makes messages of what was printed. */
function shown(errors: string | undefined): string[] {
  return errors === undefined ? [] : [`'cat' ${errors.slice(2)} >&2`]
}

/** Whether commands read the standard input of what is around them. */
function isReading(command: SyntaxNode, { inputs, input }: Work, place: Place): boolean {
  return inputs.reads(command) && inputs.isThere(place, input)
}
