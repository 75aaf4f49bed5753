import type { Destructuring, Node } from './nodes.ts'
import { getKey } from './paths.ts'
import { Scope } from './scope.ts'
import { isArray, JqError, type Json, typeOf } from './values.ts'

/** What runs the keys of a pattern. */
interface Evaluator {
  values(node: Node, scope: Scope | undefined, value: Json): Iterable<Json>
}

/** Variables with what they are set to. */
export type Bound = readonly (readonly [name: string, value: Json])[]

/** The variables that a pattern sets. */
export function namesOf(pattern: Destructuring): string[] {
  if (pattern.kind === 'variable') return [pattern.name]
  if (pattern.kind === 'list') return pattern.items.flatMap(namesOf)
  return pattern.fields.flatMap(({ variable, value }) => [
    ...(variable === undefined ? [] : [variable]),
    ...(value === undefined ? [] : namesOf(value)),
  ])
}

/** What a pattern sets its variables to. Keys in parentheses may have several values. */
export function* destructure(
  pattern: Destructuring,
  value: Json,
  scope: Scope | undefined,
  interpreter: Evaluator,
): Generator<Bound, void, undefined> {
  if (pattern.kind === 'variable') yield [[pattern.name, value]]
  else if (pattern.kind === 'list') {
    if (value !== null && !isArray(value)) throw new JqError(`Cannot index ${typeOf(value)} with number`)
    yield* items(pattern.items, 0, value ?? [], [], scope, interpreter)
  } else yield* fields(pattern.fields, 0, value, [], scope, interpreter)
}

function* items(
  patterns: readonly Destructuring[],
  at: number,
  list: readonly Json[],
  bound: Bound,
  scope: Scope | undefined,
  interpreter: Evaluator,
): Generator<Bound, void, undefined> {
  const pattern = patterns[at]
  if (pattern === undefined) yield bound
  else
    for (const more of destructure(pattern, list[at] ?? null, known(scope, bound), interpreter))
      yield* items(patterns, at + 1, list, [...bound, ...more], scope, interpreter)
}

function* fields(
  all: Extract<Destructuring, { kind: 'fields' }>['fields'],
  at: number,
  value: Json,
  bound: Bound,
  scope: Scope | undefined,
  interpreter: Evaluator,
): Generator<Bound, void, undefined> {
  const field = all[at]
  if (field === undefined) {
    yield bound
    return
  }
  for (const key of interpreter.values(field.key, known(scope, bound), value)) {
    if (typeof key !== 'string') throw new JqError(`Cannot index ${typeOf(value)} with ${typeOf(key)}`)
    const inner = getKey(value, key)
    const own: Bound = field.variable === undefined ? bound : [...bound, [field.variable, inner]]
    if (field.value === undefined) yield* fields(all, at + 1, value, own, scope, interpreter)
    else
      for (const more of destructure(field.value, inner, known(scope, own), interpreter))
        yield* fields(all, at + 1, value, [...own, ...more], scope, interpreter)
  }
}

const known = (scope: Scope | undefined, bound: Bound): Scope | undefined =>
  bound.reduce<Scope | undefined>((outer, [name, value]) => new Scope(`$${name}`, value, outer), scope)
