import type { AndOr, Pipeline, Statement, SyntaxNode } from 'unbash'
import { nameOf, type Scope, scopeOf } from '../facts.ts'
import { isLimited, type Unset, unsetOf } from '../unset.ts'
import { isSubstitution, type Place } from '../walk.ts'
import type { Rule, Work } from '../work.ts'
import { kept } from './before.ts'
import { ending } from './exits.ts'

/** Commands at which the engine itself ends the script. */
const FATAL: ReadonlySet<string> = new Set(': . eval exit export readonly set shift trap unset'.split(' '))

/**
 * With `set -u` a variable that is not set ends the script, and `${x?}` does always. In the engine most commands fail alone,
 * and functions end alone: the expansions are made before.
 */
export const unsetStatement: Rule<'Statement'> = (node, work, place) => {
  if (node.background === true || isOfLimited(place)) return
  const owner = firstOf(node.command)
  const found = foundIn(owner, work)
  if (found === undefined) return
  const isAlone = isSubstituted(node, place)
  if (isAlone && owner === node.command && owner.type === 'Command' && !found.isBlind) return
  const scope = scopeOf(place)
  if (scope === 'shell' && !found.isBlind && isFatal(owner, work)) return
  // What is in a substitution has to be a function.
  if (isAlone) work.script.compounded.add(node.command)
  const text = work.script.written(node)
  work.script.insert(node.pos, `${kept(ended(found, scope, scope === 'shell'), text, owner, work)}; `)
}

/** The same of a command that is no statement, or not the first of one. */
export function unsetCommand(node: SyntaxNode, work: Work, place: Place): void {
  if (isOfStatement(place)) return
  const found = foundIn(node, work)
  if (found === undefined || (isAlone(place) && !found.isBlind)) return
  const scope = scopeOf(place)
  if (scope === 'shell' && !found.isBlind && isFatal(node, work)) return
  const check = kept(ended(found, scope, false), work.script.written(node), node, work)
  work.pending.set(node, [check, ...(work.pending.get(node) ?? [])])
}

/** What ends the script before an operand of `[[ ]]` that may not be expanded; nothing where all is set. */
export function unsetOperand(node: SyntaxNode, work: Work, place: Place): string {
  const found = unsetOf(node, work.script, work.facts.nounset)
  return isEmpty(found) ? '' : `${ended(found, scopeOf(place), false)}; `
}

function foundIn(node: SyntaxNode, { facts, script }: Work): Unset | undefined {
  if (!facts.nounset && !(script.source.includes('?') && script.written(node).includes('?'))) return undefined
  const found = unsetOf(node, script, facts.nounset)
  return isEmpty(found) ? undefined : found
}

function isEmpty({ always, named, positional }: Unset): boolean {
  return always.size + named.size + positional.size === 0
}

/** Commands that end the script where something is not set. */
function ended({ always, named, positional }: Unset, scope: Scope, isPlain: boolean): string {
  const words = (found: ReadonlySet<string>) =>
    [...found].map((one) => (one.includes('"') ? one : `"${one}"`)).join(' ')
  const commands = [
    ...(always.size + named.size > 0 ? [`: ${words(new Set([...always, ...named]))}`] : []),
    ...(positional.size > 0 ? [`case $- in *u*) : ${words(positional)} ;; esac`] : []),
  ].join('; ')
  return isPlain ? commands : `( ${commands} ) || ${ending(scope, '2')}`
}

/** What is expanded first in a statement. */
export function firstOf(node: Statement['command']): SyntaxNode {
  if (node.type === 'AndOr') return firstOf(firstNode(node))
  return node.type === 'Pipeline' && node.commands.length === 1 ? firstNode(node) : node
}

function firstNode({ commands }: AndOr | Pipeline): Statement['command'] {
  const [first] = commands
  if (first === undefined) throw new TypeError('expected a command in a list')
  return first
}

/** Whether the statement of a command, or what its redirections belong to, looks at its expansions. */
export function isOfStatement({ node, outer }: Place): boolean {
  if (outer === undefined) return false
  const one = outer.node
  if (one.type === 'Statement') return one.background !== true || isOfLimited(outer)
  if (one.type === 'Redirected') return one.command === node
  const isFirst =
    one.type === 'AndOr' ? one.commands[0] === node : one.type === 'Pipeline' && one.commands.length === 1
  return isFirst && isOfStatement(outer)
}

function isOfLimited({ outer }: Place): boolean {
  return (
    outer !== undefined &&
    (isLimited(outer.node) || (outer.outer !== undefined && isLimited(outer.outer.node)))
  )
}

/** Whether a statement is all of a substitution. */
export function isSubstituted(node: Statement, { outer }: Place): boolean {
  return (
    outer?.outer !== undefined &&
    isSubstitution(outer.outer.node) &&
    outer.node.type === 'Script' &&
    outer.node.commands.length === 1 &&
    outer.node.commands[0] === node
  )
}

/** Whether only a stage of a pipeline, or a background job, ends with a command. */
function isAlone({ outer }: Place): boolean {
  const one = outer?.node
  return (
    (one?.type === 'Pipeline' && one.commands.length > 1) ||
    (one?.type === 'Statement' && one.background === true)
  )
}

/** Whether the engine ends the script at a command as it is. */
function isFatal(node: SyntaxNode, { script }: Work): boolean {
  if (script.text(node) !== script.written(node)) return false
  if (node.type !== 'Command') return node.type === 'For' || node.type === 'Case'
  return node.name === undefined || FATAL.has(nameOf(node) ?? '')
}
