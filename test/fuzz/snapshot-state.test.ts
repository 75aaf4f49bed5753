import fc from 'fast-check'
import { expect } from 'vitest'
import type { CheckpointEntry } from '../../src/contract/checkpoint.ts'
import { KeptCheckpoint } from '../../src/session/kept-checkpoint.ts'
import { openShell, run } from '../worker/engines/bash/open-shell.ts'
import { fuzz } from './support/fuzz.ts'

const bounds = { maxBytes: 2 ** 28, maxText: 2 ** 25 }

/** The facts of a session that has something of each kind. */
async function realFacts(): Promise<readonly CheckpointEntry[]> {
  const shell = await openShell()
  await run(
    shell,
    `x=1; a=(1 2); declare -A m=([k]=v); declare -i n=2; trap 'echo t' TERM; mkdir d; ln -s d l
f() { local y=$1; for i in a b; do case $i in a) echo "$y$(echo in)" | cat;; esac; done; (( n + 1 )) && [[ $y == 1 ]] <<< "x"; }`,
  )
  await shell.tellAll?.()
  const kept = new KeptCheckpoint(bounds)
  for (const part of (await shell.checkpoint?.()) ?? []) kept.take(part)
  return kept.facts.entries.filter(({ content }) => content === undefined)
}

const facts = await realFacts()
const paths = facts.map(({ key }) => key)

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

const word = fc.constantFrom(
  '',
  '__proto__',
  'constructor',
  'Word',
  'FunctionDef',
  'computed',
  '/',
  '..',
  '\udcff',
)
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  word,
  fc.record({ type: word, computed: fc.boolean(), parts: fc.array(word) }),
)
const change = fc.oneof(
  // A part of a value is another.
  {
    weight: 6,
    arbitrary: fc.record({ at: fc.nat(), way: fc.array(fc.nat(20), { maxLength: 12 }), other: json }),
  },
  // A fact is of another name, or is new.
  fc.record({
    at: fc.nat(),
    key: fc.oneof(
      fc.constantFrom(...paths),
      word.map((text) => `variable ${text}`),
      word.map((text) => `file ${text}`),
      fc.string(),
    ),
    value: fc.oneof(
      fc.constant('gone'),
      json.map((value) => JSON.stringify(value)),
    ),
  }),
)

const USES = 'echo "$x" "$a" $n; declare -p a m; cd /; ls; trap; set -o'
let taken = 0
let refused = 0

fuzz({
  target: 'snapshot',
  title: 'facts with any change are taken over or refused, and the shell answers',
  cases: 120,
  input: fc.array(change, { minLength: 1, maxLength: 5 }),
  holds: async (changes) => {
    const entries = [...facts]
    for (const each of changes) {
      const at = each.at % entries.length
      const { key, value } = entries[at] ?? { key: '', value: '' }
      if ('value' in each) entries[at] = { key: each.key, value: each.value }
      else if (value !== 'gone')
        entries[at] = { key, value: JSON.stringify(replaced(JSON.parse(value), each.way, each.other)) }
    }
    const shell = await openShell({ env: [], cwd: '/', restores: true, timeout: 2 })
    try {
      await shell.restore?.({ contents: [], entries, forgotten: [], last: true })
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
      refused += 1
      return
    }
    taken += 1
    for (const command of ['f 1', USES]) {
      const outcome = await shell.run({ command })
      if (outcome.ok) expect(outcome.value.exitCode).toBeGreaterThanOrEqual(0)
    }
    shell.close()
  },
  after: () => {
    expect([taken > 0, refused > 0]).toEqual([true, true])
  },
})
