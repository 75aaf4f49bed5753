import type { CommandNode, Pipeline, Redirect } from 'unbash'
import { callsFunction, nameOf } from '../facts.ts'
import { isInput } from '../input.ts'
import { refuse } from '../refusal.ts'
import { type Script, within } from '../script.ts'
import { around, type Place } from '../walk.ts'
import { oneWord } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { isLate } from './file-output.ts'
import { frame, isolated, keptInput, ownPath, storedOrReturn } from './isolated.ts'
import { isOfFile } from './redirected-output.ts'

/**
 * In a pipeline the engine runs programs well. Of functions and compound commands it loses the messages, and of all but the
 * last command the status: there the commands run one after another, with files between them.
 */
export const pipeline: Rule<'Pipeline'> = (node, work, place) => {
  const first = node.commands[0]
  if (first === undefined) {
    negated(node, work, place)
    return
  }
  if (node.commands.length > 1) {
    if (!work.pipefail && stageOf(first, 0, node, work).plain) fed(first, work)
    const stages = node.commands.map((command, index) => stageOf(command, index, node, work))
    if (!work.pipefail && stages.every(({ plain }) => plain)) errorsToo(node, work)
    else {
      if (node.prefixes.some(({ type }) => type === 'Time')) refuse('time of this pipeline', 'leave time out')
      work.script.replace({ pos: first.pos, end: node.end }, inSteps(stages, node, work, place))
    }
  }
  negate(node, first, work, place)
}

/** The file that a simple command reads. */
function inputOf(command: CommandNode): Redirect | undefined {
  if (command.type !== 'Command') return undefined
  const [input, ...others] = command.redirects.filter(isInput)
  return others.length === 0 && input?.type === 'Redirect' && isOfFile(input) ? input : undefined
}

/** Whether a command has a file that is opened before it runs: a program of archives opens its own. */
function opensInput(command: CommandNode, script: Script): boolean {
  const input = inputOf(command)
  return input !== undefined && script.text(input) !== ''
}

/** Programs that print nothing where their input is empty. */
const SILENT: ReadonlySet<string> = new Set(
  'cat cut grep head nl rev sed sort tac tail tee tr uniq'.split(' '),
)

/** Whether a command does nothing where its input is empty. */
function isSilent(command: CommandNode): boolean {
  const name = command.type === 'Command' ? nameOf(command) : undefined
  if (command.type !== 'Command' || name === undefined || !SILENT.has(name)) return false
  return name !== 'grep' || !command.args.some(({ text }) => /^-\w*[cL]|^--/.test(text))
}

/**
 * Gives a command its input by way of `cat`: where the input of the first command cannot be opened, the engine runs none of
 * the others.
 */
function fed(command: CommandNode, { script }: Work): void {
  const input = inputOf(command)
  if (input?.target === undefined) return
  const target = oneWord(input.target, script)
  const before = script.text(command)
  script.replace(input, '')
  if (script.text(command) !== before) script.insert(command.pos, `'cat' ${target} | `)
}

interface Stage {
  readonly text: string
  /** It ends before its output is in a file. */
  readonly late: boolean
  /** The engine runs it well between pipes. */
  readonly plain: boolean
  /** Whether it has failed can be told from its messages. */
  readonly telling: boolean
}

/** Commands of the shell that the engine does not find after a pipe, or that it knows by another name. */
const SHELL = new Set(
  '. [ alias break cd command continue eval exec exit export local read readonly return set shift source test trap type umask unalias unset wait'.split(
    ' ',
  ),
)

function stageOf(
  command: CommandNode,
  index: number,
  node: Pipeline,
  { script, facts, pipefail }: Work,
): Stage {
  const after = node.operators[index]
  const isFirst = index === 0
  if (command.type === 'Subshell' && after !== '|&')
    return { text: script.text(within(command)), plain: false, late: false, telling: false }
  const text = script.text(command)
  const name = command.type === 'Command' ? nameOf(command) : undefined
  const isShell = (name !== undefined && SHELL.has(name)) || callsFunction(command, facts)
  const isOurs = text.startsWith('__ssr_') && !(isFirst && text.startsWith('__ssr_echo '))
  const plain =
    command.type === 'Command' &&
    command.name !== undefined &&
    !script.compounded.has(command) &&
    !(isFirst && opensInput(command, script) && (pipefail || !isSilent(command))) &&
    !isShell &&
    !isOurs
  if (after === '|&' && !plain) refuse('|& of a compound command', 'redirect the commands in it with 2>&1')
  const isCat = command.type === 'Command' && name === 'cat'
  // As a function, which its status would need with pipefail, `cat` would lose bytes that are no text.
  const late = command.type === 'Command' && isLate(command) && !(pipefail && isCat)
  const telling = pipefail && isCat && after !== '|&' && command.redirects.every(isInput)
  return { text: after === '|&' ? `${text} 2>&1` : text, plain, late, telling }
}

/** `a |& b` is `a 2>&1 | b`. */
function errorsToo(node: Pipeline, { script }: Work): void {
  for (const [index, operator] of node.operators.entries()) {
    const [left, right] = [node.commands[index], node.commands[index + 1]]
    if (operator === '|&' && left !== undefined && right !== undefined)
      script.replace({ pos: left.end, end: right.pos }, ' 2>&1 | ')
  }
}

/** Stages that run at the same time: one, or several that the engine runs well. */
interface Step {
  readonly texts: string[]
  readonly plain: boolean
  readonly telling: boolean
}

/** Stages next to each other that the engine runs well are a step where nobody asks for the status of each. */
function stepsOf(stages: readonly Stage[], { pipefail }: Work): Step[] {
  const steps: Step[] = []
  for (const [index, { text, plain, late, telling }] of stages.entries()) {
    const last = steps.at(-1)
    const isLast = index === stages.length - 1
    // What is late has to be a function where its status counts, and goes through `cat` where it does not.
    const isPlain = plain && (!pipefail || !late || isLast)
    if (isPlain && !pipefail && last?.plain === true) last.texts.push(text)
    else steps.push({ texts: [text], plain: isPlain, telling })
    if (isPlain && late && !pipefail && stages[index + 1]?.plain === false)
      steps.at(-1)?.texts.push('cat', 'cat')
  }
  return steps
}

/** The call of a function that runs the stages one after another. */
function inSteps(stages: readonly Stage[], node: Pipeline, work: Work, place: Place): string {
  const lines = ["local __ssr_failed='0'"]
  const first = node.commands[0]
  const reads = first !== undefined && stages[0]?.plain === false && work.inputs.reads(first)
  let input: string | undefined
  if (reads && work.inputs.isThere(place, work.input)) input = keptInput(lines, work)
  const steps = stepsOf(stages, work)
  for (const [index, { texts, plain, telling }] of steps.entries()) {
    const path = index === steps.length - 1 ? undefined : ownPath(work)
    const output = path === undefined ? undefined : `> ${path}`
    const otherwise = path === undefined ? 'return $?' : '__ssr_failed=$?'
    if (plain) {
      if (texts[0]?.includes('$?')) lines.push('__ssr_status "$__ssr_before" && :')
      if (telling && path !== undefined) lines.push(...told(texts, input, path, work))
      else lines.push(`${redirected(words(texts, lines), input, output)} || ${otherwise}`)
    } else {
      const { run, status } = isolated(texts.join(''), { input, output }, work)
      lines.push(run, `__ssr_status ${status} || ${otherwise}`)
    }
    input = path === undefined ? undefined : `< ${path}`
  }
  lines.push(
    work.pipefail ? 'case "${__ssr_pipefail-}" in ?*) return "$__ssr_failed" ;; *) return 0 ;; esac' : ':',
  )
  return frame(lines, work)
}

/** Puts into a file what a command prints that says what is wrong where it fails. */
function told(texts: readonly string[], input: string | undefined, path: string, work: Work): string[] {
  const said = ownPath(work)
  const program = [...texts, `2> ${said}`].join(' ')
  return [
    `${redirected([program], input, undefined)} | ${storedOrReturn(path)}`,
    `if [ -s ${said} ]; then 'cat' ${said} >&2; __ssr_failed=1; fi`,
  ]
}

/** The engine ignores redirections of functions: what `__ssr_echo` prints is put together before. */
function words(texts: readonly string[], lines: string[]): string[] {
  const [first = '', ...others] = texts
  const [, format, rest] = /^__ssr_echo ('[^']*') ([\s\S]*)$/.exec(first) ?? []
  if (format === undefined) return [...texts]
  lines.push(`__ssr_join ${format} ${rest}`)
  return [`printf "$__ssr_format" "$__ssr_words"`, ...others]
}

/** A pipeline with redirections before those of its first and last command. */
function redirected(texts: readonly string[], input: string | undefined, output: string | undefined): string {
  return texts
    .map((text, index) => {
      const before = [index === 0 ? input : undefined, index === texts.length - 1 ? output : undefined]
      return [...before.filter((one) => one !== undefined), text].join(' ')
    })
    .join(' | ')
}

/** `! pipeline` turns its status around. */
function negate(node: Pipeline, first: CommandNode, work: Work, place: Place): void {
  const { script } = work
  const negations = node.prefixes.filter(({ type }) => type === 'Negation').length
  if (negations === 0) return
  const body = script.text({ pos: first.pos, end: node.end })
  const isList = place.outer?.node.type === 'AndOr'
  script.compounded.add(node)
  if (negations % 2 === 0) script.replace(node, body)
  else if (
    !isCall(body) &&
    (node.commands.length > 1 ||
      !isSimple(first) ||
      script.compounded.has(first) ||
      callsFunction(first, work.facts))
  )
    script.replace(node, `if ${body}; then false && :; else true; fi${isList ? '' : ' && :'}`)
  // What is negated does not end a script with `set -e`; the engine does, unless it is part of a list.
  else if (!isList && around(place, 'Function', 'Script') !== undefined)
    script.replace(node, `! ${body} && :`)
}

/** `!` alone is the contrary of nothing. */
function negated({ pos, end, prefixes }: Pipeline, { script }: Work, { outer }: Place): void {
  const negations = prefixes.filter(({ type }) => type === 'Negation').length
  if (negations === 0) return
  const text = negations % 2 === 0 ? 'true' : 'false'
  script.replace({ pos, end }, outer?.node.type === 'AndOr' ? text : `${text} && :`)
}

/** Whether a command is the call of a function of the translation. */
function isCall(text: string): boolean {
  return /^__ssr_frame_\w+ "\$@"$/.test(text)
}

function isSimple({ type }: CommandNode): boolean {
  return type === 'Command' || type === 'TestCommand' || type === 'ArithmeticCommand'
}
