import type { Command, SyntaxNode } from 'unbash'
import { type Place, walk } from './walk.ts'
import { literalOf } from './words.ts'

/** What is known of a script before it is translated. */
export interface Facts {
  /** Names of its functions. */
  readonly functions: ReadonlySet<string>
  /** Those of them that may end the script. */
  readonly ending: ReadonlySet<string>
  /** Variables that it gives a value with `*`, `?` or `[`. */
  readonly patterns: ReadonlySet<string>
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
    if (node.type === 'CommandExpansion' || node.type === 'Coproc') return 'contained'
    if (node.type === 'Pipeline' && node.commands.length > 1 && inner.type !== 'Negation') return 'contained'
    if (node.type === 'Statement' && node.background === true) return 'contained'
    inner = node
  }
  return 'shell'
}

/** Looks through a script for its functions and how they end. */
export function factsOf(nodes: readonly SyntaxNode[]): Facts {
  const functions = new Set<string>()
  const ending = new Set<string>()
  const patterns = new Set<string>()
  const calls = new Map<string, Set<string>>()
  for (const node of nodes) {
    walk(node, (place) => {
      const { node: one } = place
      if (one.type === 'Function') functions.add(one.name.text)
      if (one.type === 'Assignment' && one.value.type === 'Word' && /[*?[]/.test(one.value.value))
        patterns.add(one.name)
      const owner = ownerOf(place)
      if (owner === undefined || scopeOf(place) !== 'function') return
      if (one.type === 'ArithmeticBinary' && isDivision(one.operator) && !isNumber(one.right))
        ending.add(owner)
      if (one.type !== 'Command') return
      const name = nameOf(one)
      if (name === 'exit') ending.add(owner)
      else if (name !== undefined) calls.set(owner, (calls.get(owner) ?? new Set()).add(name))
    })
  }
  for (let grown = true; grown; ) {
    grown = false
    for (const [owner, called] of calls) {
      if (ending.has(owner) || ![...called].some((name) => ending.has(name))) continue
      ending.add(owner)
      grown = true
    }
  }
  return { functions, ending, patterns }
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

function ownerOf(place: Place): string | undefined {
  for (let at = place.outer; at !== undefined; at = at.outer) {
    if (at.node.type === 'Function') return at.node.name.text
  }
  return undefined
}
