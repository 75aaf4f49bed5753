import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { BIND_KEY, type CheckpointEntry, type CheckpointFacts } from '../../src/contract/checkpoint.ts'
import type { BashRecord } from '../../src/contract/shell-record.ts'
import { KeptCheckpoint } from '../../src/session/kept-checkpoint.ts'
import { openShell, run } from '../worker/engines/bash/open-shell.ts'
import { bindChanges, changedFacts, json, missing, word } from './support/forged-facts.ts'
import { fuzz } from './support/fuzz.ts'

const root = mkdtempSync(join(tmpdir(), 'fuzzed-binds-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A copy and a direct bind, each of a directory of its own in the same one. */
function bindsIn(directory: string): BashRecord['binds'] {
  rmSync(directory, { recursive: true, force: true })
  for (const name of ['copied', 'live']) {
    mkdirSync(join(directory, name, 'd'), { recursive: true })
    for (const path of ['a', 'gone', 'd/x']) writeFileSync(join(directory, name, path), 'of the host\n')
  }
  return [
    {
      source: join(directory, 'copied'),
      destination: '/work',
      mode: 'copy',
      readonly: false,
      exclude: ['*.o'],
    },
    { source: join(directory, 'live'), destination: '/live', mode: 'direct', readonly: false },
  ]
}

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

/** All facts of binds that a session has changed, and the bytes that they name. */
async function realBinds(): Promise<CheckpointFacts> {
  const shell = await openShell({ binds: bindsIn(join(root, 'real')) })
  const change =
    'cat d/x; echo 1 > a; rm gone; mkdir e; ln -s a l; echo 2 > e/f; chmod 600 d/x; echo 3 > own.o'
  for (const place of ['/work', '/live']) await run(shell, `cd ${place}; ${change}`)
  await shell.changes?.(undefined)
  const kept = new KeptCheckpoint(bounds)
  for (const part of (await shell.checkpoint?.()) ?? []) kept.take(part)
  const { entries, contents } = kept.facts
  return { entries: entries.filter(({ key }) => key.startsWith(BIND_KEY)), contents }
}

const facts = await realFacts()
const bindFacts = await realBinds()
const paths = facts.map(({ key }) => key)

const change = fc.oneof(
  missing,
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
    const entries = changedFacts(facts, changes)
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
  ends: () => [taken, refused],
})

let boundTaken = 0
let boundRefused = 0

fuzz({
  target: 'snapshot',
  title: 'facts of binds with any change are taken over or refused, and nothing leads out of a bind',
  cases: 80,
  input: bindChanges(bindFacts.entries),
  holds: async (changes) => {
    const entries = changedFacts(bindFacts.entries, changes)
    const directory = join(root, 'forged')
    const shell = await openShell({ binds: bindsIn(directory), restores: true, timeout: 2 })
    const contents = [...bindFacts.contents].map(([id, bytes]) => ({ id, bytes }))
    try {
      await shell.restore?.({ contents, entries, forgotten: [], last: true })
      boundTaken += 1
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
      boundRefused += 1
      return
    }
    await shell.run({
      command: 'ls -lR /work /live; cat /work/a; echo more >> /work/a; rm -rf /work/d /live/d',
    })
    await shell.changes?.(undefined)
    // Facts that do not fit each other may name a file that is not there: the service answers with an error then.
    const applied = await shell.applyChanges?.({ bind: '/work' }).catch((error: unknown) => error)
    if (!(applied instanceof Error)) expect(applied).toHaveProperty('ok')
    expect([readdirSync(root).sort(), readdirSync(directory)]).toEqual([
      ['forged', 'real'],
      ['copied', 'live'],
    ])
    shell.close()
  },
  ends: () => [boundTaken, boundRefused],
})
