import type { Command, Redirected, SyntaxNode } from 'unbash'
import { Numbers } from './numbers.ts'
import { isOutput, isToErrors } from './outputs.ts'
import { mayBeUnset } from './unset.ts'
import { isSubstitution, type Place, walk } from './walk.ts'
import { literalOf } from './words.ts'

/** What is known of a script before it is translated. */
export interface Facts {
  /** Names of its functions, and of those that the session has. */
  readonly functions: ReadonlySet<string>
  /** Those of them that may end the script. */
  readonly ending: ReadonlySet<string>
  /** What the script defines as functions. */
  readonly bodies: ReadonlyMap<string, SyntaxNode>
  /** The functions that the session has. */
  readonly known: Functions
  /** It has a `set -o pipefail`. */
  readonly setsPipefail: boolean
  /** It sets `IFS` for what follows. */
  readonly setsSeparators: boolean
  /** Its commands may run under `set -u`. */
  readonly nounset: boolean
  /** Variables that it gives a value with `*`, `?` or `[`. */
  readonly patterns: ReadonlySet<string>
  /** Variables that have plain numbers. */
  readonly numbers: Numbers
}

/** Functions that a session has from earlier commands, by name. */
export type Functions = ReadonlyMap<string, FunctionFacts>

/** What commands change in their shell. */
export interface State {
  /** Variables. */
  readonly names: ReadonlySet<string>
  /** Something else that they change, as the subject of a sentence. */
  readonly other: string | undefined
}

/** What is known of a function. */
export interface FunctionFacts extends State {
  /** It may end the script. */
  readonly isEnding: boolean
  /** It reads its standard input. */
  readonly isReading: boolean
  /** It has pipelines that tell the status of their last command only. */
  readonly isPiped: boolean
  /** It sets `-e`. */
  readonly setsErrexit: boolean
  /** It expands variables, and does not look whether they are set. */
  readonly isUnchecked: boolean
}

/** Where an `exit` leads: the engine lets it leave a function only. */
export type Scope = 'function' | 'shell' | 'contained'

/** The scope of a place. What runs in a pipeline or a substitution ends there by itself. */
export function scopeOf(place: Place): Scope {
  let inner = place.node
  for (let at = place.outer; at !== undefined; at = at.outer) {
    const { node } = at
    if (node.type === 'Function') return 'function'
    if (node.type === 'Subshell') return 'shell'
    if (isSubstitution(node) || node.type === 'Coproc') return 'contained'
    if (node.type === 'Pipeline' && node.commands.length > 1 && inner.type !== 'Negation') return 'contained'
    if (node.type === 'Statement' && node.background === true) return 'shell'
    if (node.type === 'Redirected' && isIsolated(node)) return 'function'
    inner = node
  }
  return 'shell'
}

/** Whether a compound command runs in a shell of its own, and tells when it ends the script. */
function isIsolated({ command, redirects }: Redirected): boolean {
  return command.type !== 'Subshell' && redirects.some((one) => isOutput(one) || isToErrors(one))
}

const SEPARATING = /\bIFS=(?:\$?'[^']*'|"[^"]*"|[^\s;'"]*)[ \t]*(?:[;\n&|)}]|$)/

/**
 * Looks through a script for its functions and how they end.
 *
 * @param source - the text that the nodes are of.
 * @param isUnder - it may begin under `set -u`.
 */
export function factsOf(
  nodes: readonly SyntaxNode[],
  source: string,
  known: Functions,
  isUnder: boolean,
): Facts {
  const functions = new Set<string>(known.keys())
  const ending = new Set<string>()
  for (const [name, { isEnding }] of known) if (isEnding) ending.add(name)
  const bodies = new Map<string, SyntaxNode>()
  const patterns = new Set<string>()
  const numbers = new Numbers(nodes, known)
  let setsPipefail = false
  let nounset = isUnder
  const expanding = new Set<string>()
  const calls = new Map<string, Set<string>>()
  for (const node of nodes) {
    walk(node, (place) => {
      const { node: one } = place
      nounset ||= setsNounset(one)
      if (one.type === 'Command' && nameOf(one) === 'set')
        setsPipefail ||= one.args.some((arg) => arg.type === 'Word' && literalOf(arg) === 'pipefail')
      if (one.type === 'Function') {
        functions.add(one.name.text)
        bodies.set(one.name.text, one.body)
      }
      if (one.type === 'Assignment' && one.value.type === 'Word' && mayBePattern(one.value.value))
        patterns.add(one.name)
      const owner = ownerOf(place)
      if (owner === undefined || scopeOf(place) !== 'function') return
      if (one.type === 'ArithmeticBinary' && isDivision(one.operator) && !isNumber(one.right))
        ending.add(owner)
      if (
        one.type === 'ArithmeticWord' &&
        !numbers.isPlain(one.value, one.pos) &&
        /[A-Za-z_$`]/.test(one.value)
      )
        ending.add(owner)
      if (one.type === 'ArithmeticCommandExpansion') ending.add(owner)
      if (mayBeUnset(one, false)) ending.add(owner)
      else if (mayBeUnset(one, true)) expanding.add(owner)
      if (one.type !== 'Command') return
      const name = nameOf(one)
      if (name === 'exit' || name === 'eval') ending.add(owner)
      else if (name !== undefined) calls.set(owner, (calls.get(owner) ?? new Set()).add(name))
    })
  }
  if (nounset) for (const owner of expanding) ending.add(owner)
  for (let grown = true; grown; ) {
    grown = false
    for (const [owner, called] of calls) {
      if (ending.has(owner) || ![...called].some((name) => ending.has(name))) continue
      ending.add(owner)
      grown = true
    }
  }
  const setsSeparators = SEPARATING.test(source)
  return { functions, ending, bodies, known, setsPipefail, setsSeparators, nounset, patterns, numbers }
}

/** Whether a command is `set -e` or the like. */
export function setsErrexit(node: SyntaxNode): boolean {
  return sets(node, /^(?:-[A-Za-z]*e[A-Za-z]*|errexit)$/)
}

/** Whether a command is `set -u` or the like. */
export function setsNounset(node: SyntaxNode): boolean {
  return sets(node, /^(?:-[A-Za-z]*u[A-Za-z]*|nounset)$/)
}

function sets(node: SyntaxNode, option: RegExp): boolean {
  if (node.type !== 'Command' || nameOf(node) !== 'set') return false
  return node.args.some((arg) => arg.type === 'Word' && option.test(literalOf(arg) ?? ''))
}

/** A status, a test and a computation are no patterns. */
const NO_PATTERN = /\$\?|\$\(\([^()]*\)\)|\[\[?\s/g

function mayBePattern(value: string): boolean {
  return /[*?[]/.test(value) && /[*?[]/.test(value.replaceAll(NO_PATTERN, ''))
}

function isDivision(operator: string): boolean {
  return operator === '/' || operator === '%' || operator === '/=' || operator === '%='
}

export function isNumber(node: SyntaxNode): boolean {
  return node.type === 'ArithmeticWord' && /^0*[1-9]\d*$/.test(node.value)
}

export function nameOf(command: Command): string | undefined {
  return literalOf(command.name)
}

/** Whether a node is a call of a function. */
export function callsFunction(node: SyntaxNode, { functions }: Facts): boolean {
  return node.type === 'Command' && functions.has(nameOf(node) ?? '')
}

function ownerOf(place: Place): string | undefined {
  for (let at = place.outer; at !== undefined; at = at.outer) {
    if (at.node.type === 'Function') return at.node.name.text
  }
  return undefined
}
