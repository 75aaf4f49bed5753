import type { ArithmeticCommandExpansion, Command, CommandExpansionPart, SyntaxNode, Word } from 'unbash'
import { ASKS_STATUS } from '../asks-status.ts'
import { callsFunction, nameOf } from '../facts.ts'
import { functionText } from '../function-text.ts'
import { refuse } from '../refusal.ts'
import type { Range, Script } from '../script.ts'
import { around, type Place, some, walk } from '../walk.ts'
import { assignedWord, oneWord, replaceHomes } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { asksBefore, before } from './before.ts'
import { ownPath, stored } from './isolated.ts'

/** `x+=y` is `x=${x}y`. The engine knows no `~` in a value, and splits one that is beside a command. */
export const assigned: Rule<'Assignment'> = ({ pos, append, name, value }, { script, facts }, place) => {
  const outer = place.outer?.node
  const command = outer?.type === 'Command' ? outer.name : undefined
  if (value.type === 'Word') {
    const { parts = [] } = value
    if (command !== undefined && pos > command.pos && parts.some(({ type }) => type === 'BraceExpansion'))
      refuse(`a brace expansion in ${name}=`, 'quote it, or write the words out')
    // The engine joins them with spaces in a value.
    if (command === undefined && value.text.includes('$*') && facts.setsSeparators)
      refuse('$* in a value where IFS is set', `use local ${name}="$*" in a function`)
    if (command === undefined && isSplit(value)) replaceHomes(value, script)
    else if (hasHome(value) || isSplit(value)) script.replace(value, assignedWord(value, script))
  }
  // `getopts` begins anew.
  if (name === 'OPTIND') script.insert(value.end, ' __ssr_letters=')
  if (append === true) script.replace({ pos, end: value.pos }, `${name}=\${${name}-}`)
}

/** Whether a `~` of a value may stand for a directory. */
function hasHome({ text, parts }: Word): boolean {
  return parts === undefined
    ? text.includes('~')
    : parts.some((part) => part.type === 'Literal' && part.text.includes('~'))
}

function isSplit({ parts = [] }: Word): boolean {
  return parts.some(({ type }) => type.endsWith('Expansion'))
}

/** The value of an assignment beside a command as one word, after {@link assigned}. */
export function assignedValue(value: Word, script: Script): string {
  return hasHome(value) || isSplit(value) ? script.text(value) : oneWord(value, script)
}

/**
 * The engine expands `a=1 b=$a` before it assigns, and its status is 0 whatever a substitution in it answers: where one
 * assignment needs another they run one after another, and the status is that of the last substitution.
 */
export const assignments: Rule<'Command'> = (node, work) => {
  const starts = dependent(node, work)
  if (node.name !== undefined) {
    if (starts.length > 0) refuse('a variable in the value of another of one command', 'set it before')
    return
  }
  const { script } = work
  const parts = node.prefix.flatMap((one) => (one.type === 'Assignment' ? substitutionsOf(one) : []))
  const part = parts.at(-1)
  const inner = part === undefined ? undefined : commandsIn(part, script)
  const isCaught = inner !== undefined && !inner.trimStart().startsWith('<') && node.redirects.length === 0
  if (!isCaught && starts.length === 0) return
  const before = [...starts, ...(parts.length > 1 ? startOf(node, part) : [])]
  const steps = stepsAt(
    node,
    [...new Set(before)].sort((one, other) => one - other),
  )
  const asked = steps.length > 1 && ASKS_STATUS.test(script.written(node))
  if (asked && parts.length > 0) refuse('$? beside a substitution in assignments', 'split them')
  const texts = steps.map((step, index) => {
    const restored = asked && index > 0 ? '__ssr_status "$__ssr_asked" && :; ' : ''
    if (!isCaught || part === undefined || !contains(step, part)) return restored + script.text(step)
    return caught(step, part, inner, work)
  })
  if (asked) texts.unshift('__ssr_asked=$?')
  if (isCaught) texts.push(`__ssr_status "${CAUGHT_STATUS}"`)
  script.compounded.add(node)
  script.replace(node, `{ ${texts.join('; ')}; }`)
}

/** Where assignments begin that need one before them. */
function dependent({ prefix }: Command, { facts }: Work): number[] {
  const names: string[] = []
  return prefix.flatMap((one) => {
    if (one.type !== 'Assignment') return []
    const text = one.text.slice(one.name.length)
    const needs =
      names.length > 0 &&
      ((one.append === true && names.includes(one.name)) ||
        (/[$`]/.test(text) && new RegExp(`\\b(?:${names.join('|')})\\b`).test(text)) ||
        (/\$\(|`/.test(text) && facts.functions.size > 0))
    names.push(one.name)
    return needs ? [one.pos] : []
  })
}

/** The assignments of a command in parts that begin at these places, too. */
function stepsAt({ pos, end }: Range, starts: readonly number[]): Range[] {
  const bounds = [pos, ...starts.filter((start) => start > pos), end]
  return bounds.slice(1).map((bound, index) => ({ pos: bounds[index] ?? pos, end: bound }))
}

function startOf({ prefix }: Command, part: Range | undefined): number[] {
  return part === undefined ? [] : prefix.filter((one) => contains(one, part)).map(({ pos }) => pos)
}

function contains(outer: Range, inner: Range): boolean {
  return outer.pos <= inner.pos && inner.end <= outer.end
}

/** The text of the commands of `$( )`. */
export function commandsIn(part: SyntaxNode, script: Script): string | undefined {
  return /^\$\(([\s\S]*)\)$/.exec(script.text(part))?.[1]
}

/** Assignments whose last substitution runs before them, with its status behind its output in `__ssr_raw`. */
function caught(step: Range, part: CommandExpansionPart, inner: string, work: Work): string {
  const { script } = work
  const text = withStatus(inner, work)
  script.replace(part, CAUGHT_OUTPUT)
  return `${text}; ${script.text(step)}`
}

/** What the commands of {@link withStatus} have printed. */
export const CAUGHT_OUTPUT = `$(printf '%s' "\${__ssr_raw%.*}")`
/** Their status. */
export const CAUGHT_STATUS = '${__ssr_raw##*.}'

/** Runs commands, and leaves in `__ssr_raw` what they print, a dot and their status. */
export function withStatus(commands: string, work: Work): string {
  const name = `__ssr_caught_${work.mark}_${work.next()}`
  // With `set -e` the engine ends at a group that fails, and not at a function.
  work.hoist(functionText(`${name}_of`, [commands]))
  work.hoist(functionText(name, ['set +e', `${name}_of "$@" && printf '.0' || printf '.%s' "$?"`]))
  return `__ssr_raw=$(${name} "$@")`
}

/** A substitution as a command that prints nothing has its own status; in the engine that is 0. */
export const substituted: Rule<'Command'> = (node, work) => {
  const [part, ...others] = node.name?.parts ?? []
  const { script } = work
  if (part?.type !== 'CommandExpansion' || others.length > 0) return
  if (node.args.length + node.prefix.length + node.redirects.length > 0) return
  const inner = commandsIn(part, script)
  if (inner === undefined) return
  const text = withStatus(inner, work)
  script.compounded.add(node)
  script.replace(
    node,
    `{ ${text}; __ssr_words=\${__ssr_raw%.*}; case "$__ssr_words" in *[!' \t\n']*) $__ssr_words ;; ` +
      `*) __ssr_status "${CAUGHT_STATUS}" ;; esac; }`,
  )
}

/** The substitutions of an assignment, not those inside them. */
function substitutionsOf(one: SyntaxNode): CommandExpansionPart[] {
  const found: CommandExpansionPart[] = []
  walk(one, (place) => {
    if (place.node.type === 'CommandExpansion' && around(place, 'CommandExpansion') === undefined)
      found.push(place.node)
  })
  return found
}

/**
 * In a substitution `$?` is always 0 and compound commands may not parse: what is no plain pipeline becomes a function. There
 * `set -e` does not act in bash.
 */
export function substitution(
  node: CommandExpansionPart | ArithmeticCommandExpansion,
  work: Work,
  place: Place,
): void {
  if (node.script === undefined || node.script.commands.length === 0 || node.text.startsWith('`')) return
  const [first, ...others] = node.script.commands
  const command = first?.command
  const { script } = work
  const isPlain =
    others.length === 0 &&
    command !== undefined &&
    (command.type === 'Command'
      ? !script.compounded.has(command) && !callsFunction(command, work.facts)
      : command.type === 'Pipeline' && !script.compounded.has(command)) &&
    !/\$\?|\bexit\b/.test(node.text)
  const reads = work.inputs.reads(node.script) && work.inputs.isThereThrough(place, work.input)
  const path = reads ? ownPath(work) : undefined
  if (path !== undefined) {
    if (!isDrained(node.script)) refuse('$( ) that reads a part of the input around it', 'use read NAME')
    before(place, work, stored(path))
  }
  if (isPlain && path === undefined) return
  const inner = commandsIn(node, script)
  if (inner === undefined) return
  const name = `__ssr_inner_${work.mark}_${work.next()}`
  const isAsked = asksBefore(first ?? node, work)
  // Where its text asks for the status, it is in this variable before the command.
  if (isAsked) before(place, work, ':')
  const status = isAsked ? ['__ssr_status "$__ssr_asked" && :'] : []
  work.hoist(functionText(name, ['set +e', ...status, inner]))
  if (path !== undefined) work.hoist(functionText(`${name}_of`, [`{ ${name} "$@"; } < ${path}`]))
  script.replace(node, `$(${name}${path === undefined ? '' : '_of'} "$@")`)
}

/** Whether nothing of the input is left after commands: all that read do so to its end. */
function isDrained(script: SyntaxNode): boolean {
  return !some(script, ({ node }) => node.type === 'Command' && /^(?:read|head)$/.test(nameOf(node) ?? ''))
}
