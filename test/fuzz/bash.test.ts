import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { ShellHost } from '../../src/index.ts'
import { within } from '../faults/helpers.ts'
import { byTier } from '../support/tier.ts'
import { outcomeOf } from './support/documented.ts'
import { fuzz } from './support/fuzz.ts'
import { shellScript } from './support/scripts.ts'

const mebibyte = 2 ** 20
const host = new ShellHost({ isolation: 'worker' })
let neighbour: BashSandbox
let sandbox: BashSandbox
let cases = 0

beforeAll(async () => {
  neighbour = await BashSandbox.open({}, { host })
  await neighbour.execute('secret=neighbour')
})

afterAll(() => host.close())

/** A sandbox in which nothing has happened. */
async function refresh(): Promise<void> {
  await sandbox?.close()
  sandbox = await BashSandbox.open({ timeout: 0.4 }, { host })
}

const isLost = (code: string) => code === 'WORKER_LOST' || code === 'MEMORY_LIMIT'

/** A call gives a result of the right shape, or is told that the session is lost. */
async function expectEnd(of: BashSandbox, script: string): Promise<void> {
  const end = await within(
    60,
    outcomeOf(() => of.execute(script)),
  )
  if ('error' in end) {
    expect(isLost(end.error.code) || end.error.code === 'INVALID_CONFIG').toBe(true)
    return
  }
  const { exitCode, stdout, stderr } = end.value
  expect(Number.isInteger(exitCode) && exitCode >= 0 && exitCode <= 255).toBe(true)
  expect([stdout.isWellFormed(), stderr.isWellFormed()]).toEqual([true, true])
}

fuzz({
  target: 'bash',
  title: 'after any script the session answers, and its neighbour is as before',
  cases: 30,
  input: shellScript,
  holds: async (script) => {
    // A session that every case changes would soon be of no use to the next.
    if (cases++ % 20 === 0) await refresh()
    await expectEnd(sandbox, script)
    await expectEnd(sandbox, ':')
    await sandbox.writeText('/tmp/probe', 'probe').catch(() => sandbox.writeText('/tmp/other', 'probe'))
    expect(await neighbour.execute('echo "$secret"')).toMatchObject({ exitCode: 0, stdout: 'neighbour\n' })
    expect(neighbour.generation).toBe(1)
  },
})

/** Ways to grow without end. */
const grow = fc.constantFrom(
  'x=aaaaaaaa; while :; do x=$x$x; done',
  `a=(); while :; do a+=(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "$\{a[@]}"); done`,
  'i=0; while :; do eval "v$i=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"; i=$((i + 1)); done',
  'declare -A m; i=0; while :; do m[$i]=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; i=$((i + 1)); done',
  'echo a > f; while :; do cat f f > g; mv g f; done',
  'i=0; while :; do head -c 100000 /dev/zero > f$i; i=$((i + 1)); done',
  'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done',
  'f() { f "$@" "$@"; }; f a',
  `awk 'BEGIN { while (1) { s = s "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" } }'`,
  `awk 'BEGIN { while (1) a[i++] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }'`,
  `jq -n 'def f: . + . | f; "aaaaaaaa" | f'`,
  `jq -n '[range(1000000000)] | length'`,
  `echo aaaaaaaa | sed ':a; s/a/aa/g; ba'`,
  'printf "%1000000000d" 1',
  'echo {1..100000000}',
  'seq 1 1000000000 | sort | wc -l',
)

fuzz({
  target: 'bash',
  title: 'a script that grows ends at a bound or costs its session, at each size of the heap',
  cases: 8,
  input: fc.tuple(grow, fc.constantFrom(64, 128, 256)),
  holds: async ([script, megabytes]) => {
    await using growing = await BashSandbox.open(
      {
        timeout: byTier({ default: 1, full: 2 }),
        limits: { maxMemory: megabytes * mebibyte, maxFileSystem: 64 * mebibyte },
      },
      { host },
    )
    await expectEnd(growing, script)
    await expectEnd(growing, 'echo on')
    expect(await neighbour.execute('echo "$secret"')).toMatchObject({ exitCode: 0, stdout: 'neighbour\n' })
  },
})
