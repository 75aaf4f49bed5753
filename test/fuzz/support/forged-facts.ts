import fc from 'fast-check'
import type { CheckpointEntry } from '../../../src/contract/checkpoint.ts'

/** Any JSON in the place of a part of some JSON. */
function replaced(value: unknown, way: readonly number[], other: unknown): unknown {
  const [step, ...rest] = way
  if (step === undefined || typeof value !== 'object' || value === null) return other
  const keys = Object.keys(value)
  const at = keys[step % Math.max(1, keys.length)]
  if (at === undefined) return other
  const changed = replaced(Reflect.get(value, at), rest, other)
  return Array.isArray(value)
    ? value.map((item: unknown, index) => (String(index) === at ? changed : item))
    : { ...value, [at]: changed }
}

export const word = fc.constantFrom(
  '',
  '__proto__',
  'constructor',
  'Word',
  'FunctionDef',
  'computed',
  '/',
  '..',
  'a[$',
  '\udcff',
)
export const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  word,
  fc.record({ type: word, computed: fc.boolean(), parts: fc.array(word) }),
)
/** A fact is missing. */
export const missing = { weight: 5, arbitrary: fc.record({ at: fc.nat(), isMissing: fc.constant(true) }) }

/** A change of the facts of a checkpoint. */
export type FactChange =
  | { readonly at: number; readonly isMissing: boolean }
  | { readonly at: number; readonly way: readonly number[]; readonly other: unknown }
  | { readonly at: number; readonly key: string; readonly value: string }

/** The facts with all changes, one after the other. */
export function changedFacts(
  facts: readonly CheckpointEntry[],
  changes: readonly FactChange[],
): CheckpointEntry[] {
  const entries = [...facts]
  for (const each of changes) {
    const at = each.at % entries.length
    const { key, value, content } = entries[at] ?? { key: '', value: '' }
    const named = content === undefined ? {} : { content }
    if ('isMissing' in each) entries.splice(at, 1)
    else if ('value' in each) entries[at] = { key: each.key, value: each.value, ...named }
    else if (value !== 'gone')
      entries[at] = {
        key,
        value: JSON.stringify(replaced(JSON.parse(value), each.way, each.other)),
        ...named,
      }
  }
  return entries
}

const rel = fc.constantFrom(
  '',
  'a',
  'd',
  '..',
  '../x',
  '/etc/passwd',
  'd/../../x',
  'a/b',
  'e/f',
  '\udcff',
  'a\0',
)

/** A change of facts of binds. @param facts - those that a session has told */
export function bindChanges(facts: readonly CheckpointEntry[]): fc.Arbitrary<FactChange[]> {
  const change: fc.Arbitrary<FactChange> = fc.oneof(
    missing,
    {
      weight: 3,
      arbitrary: fc.record({ at: fc.nat(), way: fc.array(fc.nat(20), { maxLength: 4 }), other: json }),
    },
    fc.record({
      at: fc.nat(),
      key: fc.oneof(
        fc.constantFrom(...facts.map(({ key }) => key)),
        fc
          .tuple(
            fc.constantFrom('own', 'known', 'read', 'marks', ''),
            fc.constantFrom('copy', 'direct', 'passthrough'),
            fc.constantFrom('/work', '/live', '/', '/none'),
            rel,
          )
          .map(([kind, ...path]) => `bind ${kind} ${JSON.stringify(path)}`),
        fc.string().map((text) => `bind ${text}`),
      ),
      value: fc.constantFrom(...facts.map(({ value }) => value), 'gone', '{}'),
    }),
  )
  return fc.array(change, { minLength: 1, maxLength: 4 })
}
