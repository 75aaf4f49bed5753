import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type BashConfig, BashSandbox } from '../../src/bash/index.ts'
import type { Isolation, ShellHost } from '../../src/index.ts'
import { endOf, faultyHost, lost, timedOut, until, within } from '../faults/helpers.ts'
import { cellPids } from '../places/cells/cell-pids.ts'
import { result } from '../strands-shell/support/expected.ts'
import { hostDirectory } from '../strands-shell/support/host-tree.ts'
import { allLevels } from '../support/describe-engines.ts'
import { byTier, isFull } from '../support/tier.ts'

/** A regular expression that takes no step: it would take years. */
const endlessMatch = `expr ${'a'.repeat(60)}! : '\\(a*\\)*b'`
/** Takes no step either, and no processor time. */
const stuck = 'fault stuck'

const state = `x="a b"; list=(1 2); declare -A map=([k]=v); f() { echo "f $1 $((1 << 40))"; }; set -u; shopt -s nullglob
cd /tmp; umask 027; set -- one two; echo kept > kept; rm /etc/hosts; trap 'echo t' TERM; (exit 9)`
const look =
  'echo "$? $x ${list[1]} ${map[k]} $PWD $# $2 $(umask)"; f 1; cat kept; ls /etc/hosts; trap; [[ -o nounset ]] && echo on'
const seen = result({
  exitCode: 0,
  stdout: "9 a b 2 v /tmp 2 two 0027\nf 1 1099511627776\nkept\ntrap -- 'echo t' SIGTERM\non\n",
  stderr: expect.stringContaining('/etc/hosts'),
})

/** At `'shared'` the other sessions of the thread are there as well. */
const levels = isFull ? allLevels : (['shared'] as const)

describe.each(levels)('a command that takes no step (%s)', (isolation) => {
  /** A host whose sandboxes share one thread where the level lets them. */
  function hostOf(): ShellHost {
    return faultyHost({ isolation, sandboxesPerWorker: 8, maxCells: 1 })
  }

  const open = (host: ShellHost, config: BashConfig = {}) =>
    BashSandbox.open({ timeout: 60, ...config }, { host })

  it('ends with its thread two seconds after its time limit, and the session goes on', async () => {
    const host = hostOf()
    const sandbox = await open(host, { timeout: 2, init: 'echo init >> /tmp/log' })
    await sandbox.execute(state)
    const start = performance.now()
    expect(await endOf(within(60, sandbox.execute(endlessMatch)))).toEqual(lost('DEADLINE_IGNORED'))
    expect(performance.now() - start).toBeGreaterThan(3900)
    expect(await within(60, sandbox.execute(look))).toEqual(seen)
    expect((await sandbox.execute('cat /tmp/log')).stdout).toBe('init\n')
    expect(sandbox.generation).toBe(2)
    expect(host.stats()).toMatchObject({ lost: 1, reopened: 1, retired: 0 })
  })

  it.runIf(isolation === 'shared')(
    'ends with its thread two seconds after the call of a neighbour that waits behind it was interrupted, and both go on',
    async () => {
      const host = hostOf()
      const [busy, waits] = [await open(host), await open(host)]
      for (const one of [busy, waits]) await one.execute(state)
      const endless = endOf(busy.execute(stuck))
      // Calls of two sandboxes have no order: the first of these may run before the endless one.
      const behind = () => endOf(waits.execute('(exit 9)', { timeout: 0.3 }))
      await until(async () => isDeepStrictEqual(await behind(), timedOut))
      expect(await within(60, endless)).toEqual(lost('WORKER_EXITED'))
      await within(
        60,
        until(() => host.stats().lost === 2),
      )
      for (const one of [busy, waits]) expect(await within(60, one.execute(look))).toEqual(seen)
    },
  )

  it.runIf(isFull)(
    'ends with its thread two seconds after its caller gave up, and the session goes on',
    async () => {
      const host = hostOf()
      const sandbox = await open(host)
      await sandbox.execute(state)
      expect(await endOf(sandbox.execute(stuck, { timeout: 0.5 }))).toEqual(timedOut)
      const waits = endOf(sandbox.execute('echo half'))
      expect(await within(60, waits)).toEqual(lost('DEADLINE_IGNORED'))
      expect(await within(60, sandbox.execute(look))).toEqual(seen)
      expect(await endOf(sandbox.execute(stuck, { signal: AbortSignal.timeout(200) }))).toMatchObject({
        code: 'ABORTED',
      })
      await within(
        60,
        until(() => host.stats().lost === 2),
      )
      expect(await within(60, sandbox.execute(look))).toEqual({
        ...seen,
        stdout: seen.stdout.replace('9', '0'),
      })
      expect(sandbox.generation).toBe(3)
    },
  )

  it('leaves its neighbours what they had, and rejects what they had in flight', async () => {
    const host = hostOf()
    const sandbox = await open(host)
    const idle = await open(host)
    const busy = await open(host)
    const fresh = await open(host, { init: 'y=1' })
    for (const one of [idle, busy]) await one.execute(state)
    await idle.writeFile('/data/bytes', new Uint8Array([0, 255]))
    await idle.setEnv('E', 'set')
    expect(await endOf(sandbox.execute(stuck, { timeout: 0.5 }))).toEqual(timedOut)
    const sharesThread = isolation !== 'worker'
    const inFlight = endOf(busy.execute('echo half'))
    await within(
      60,
      until(() => host.stats().lost === (sharesThread ? 4 : 1)),
    )
    expect(await inFlight).toEqual(sharesThread ? lost('WORKER_EXITED') : result({ stdout: 'half\n' }))
    expect(await within(60, idle.execute(look))).toEqual(seen)
    expect((await within(60, busy.execute('cat kept'))).stdout).toBe('kept\n')
    expect(await idle.readFile('/data/bytes')).toEqual(new Uint8Array([0, 255]))
    expect(await idle.getEnv('E')).toBe('set')
    expect(await within(60, fresh.execute('echo $y'))).toEqual(result({ stdout: '1\n' }))
    expect([sandbox, idle, busy, fresh].map(({ generation }) => generation)).toEqual(
      sharesThread ? [2, 2, 2, 2] : [2, 1, 1, 1],
    )
  })

  it.runIf(isFull)(
    "throws the state away with onInterrupt 'reset', and fails with onLost 'fail'",
    async () => {
      const host = hostOf()
      const reset = await open(host, { onInterrupt: 'reset' })
      const fails = await open(host, { onLost: 'fail' })
      for (const one of [reset, fails]) await one.execute(state)
      expect(await endOf(reset.execute('while :; do :; done', { timeout: 0.3 }))).toEqual(timedOut)
      expect(await within(60, reset.execute('echo "${x-none}"; ls /tmp'))).toEqual(
        result({ stdout: 'none\n' }),
      )
      expect(await endOf(fails.execute(stuck, { timeout: 0.5 }))).toEqual(timedOut)
      await within(
        60,
        until(() => fails.status === 'lost'),
      )
      expect(await endOf(fails.execute('echo on'))).toEqual(lost('DEADLINE_IGNORED'))
    },
  )
})

describe('a bash session', () => {
  const open = async (isolation: Isolation, config: BashConfig = {}) => {
    const host = faultyHost({ isolation })
    return { host, sandbox: await BashSandbox.open({ timeout: 60, ...config }, { host }) }
  }

  it('goes on with what synchronous calls have left, while the event loop stands still', async () => {
    const { sandbox } = await open('worker', { timeout: 2 })
    sandbox.sync.execute('echo 1 > /tmp/a; x=1')
    sandbox.sync.writeFile('/tmp/b', new Uint8Array([7]))
    expect(await endOf(Promise.resolve().then(() => sandbox.sync.execute(stuck)))).toEqual(
      lost('DEADLINE_IGNORED'),
    )
    expect(await within(60, sandbox.execute('echo $x; cat /tmp/a; wc -c < /tmp/b'))).toEqual(
      result({ stdout: '1\n1\n1\n' }),
    )
  })

  it('goes on after its cell was killed', async () => {
    const others = cellPids()
    const { host, sandbox } = await open('process')
    await sandbox.execute(state)
    const pid = cellPids().find((started) => !others.includes(started)) ?? 0
    process.kill(pid, 'SIGKILL')
    await within(
      60,
      until(() => host.stats().lost === 1),
    )
    expect(await within(60, sandbox.execute(look))).toEqual(seen)
  })

  it('goes on with live binds, whose files are the host’s, and with a copy, whose changes are its own', async () => {
    const source = await hostDirectory({ a: 'host\n' })
    for (const mode of ['direct', 'copy'] as const) {
      const { host, sandbox } = await open('worker', {
        binds: [
          { source, destination: '/work', mode },
          { source, destination: '/ro', readonly: true },
        ],
      })
      await sandbox.execute('x=kept; echo memory > /tmp/memory; echo live > /work/a')
      if (mode === 'copy') await writeFile(join(source, 'a'), 'host\n')
      expect(await endOf(sandbox.execute(stuck, { timeout: 0.5 }))).toEqual(timedOut)
      await within(
        60,
        until(() => host.stats().lost === 1),
      )
      const { stdout } = await within(
        60,
        sandbox.execute('echo "${x-none} $(ls /ro /work | grep -c a)"; cat /work/a'),
      )
      expect(stdout).toBe('kept 2\nlive\n')
      expect((await sandbox.execute('cat /tmp/memory')).exitCode).toBe(0)
      expect(sandbox.generation).toBe(2)
    }
  })

  it('goes on with what came of a host directory, whatever the host has by then', async () => {
    const directory = await hostDirectory({ a: 'taken\n', b: 'taken\n' })
    const { host, sandbox } = await open('worker', {
      files: { '/in': { directory }, '/in/own': 'own\n' },
      init: 'cat /in/a >> /tmp/log',
    })
    await sandbox.execute('echo changed > /in/b')
    for (const name of ['a', 'b', 'c']) await writeFile(join(directory, name), 'later\n')
    expect(await endOf(sandbox.execute(stuck, { timeout: 0.5 }))).toEqual(timedOut)
    await within(
      60,
      until(() => host.stats().lost === 1),
    )
    const { stdout } = await within(60, sandbox.execute('ls /in; cat /in/* /tmp/log'))
    expect(stdout).toBe('a\nb\nown\ntaken\nchanged\nown\ntaken\n')
    expect(sandbox.generation).toBe(2)
  })

  it.runIf(isFull)('goes on with many files, and with large ones', async () => {
    const [files, bytes] = [byTier({ default: 300, full: 1500 }), byTier({ default: 5e6, full: 20e6 })]
    for (const isolation of isFull ? (['worker', 'process'] as const) : (['process'] as const)) {
      const { host, sandbox } = await open(isolation)
      await sandbox.execute(
        `for i in {1..${files}}; do echo $i > f$i; done; head -c ${bytes} /dev/zero > large`,
        { timeout: 30 },
      )
      const { stdout } = await sandbox.execute('cat f* | md5sum; wc -c < large; ls | wc -l')
      expect(await endOf(sandbox.execute(stuck, { timeout: 0.5 }))).toEqual(timedOut)
      await within(
        60,
        until(() => host.stats().lost === 1),
      )
      expect(await within(60, sandbox.execute('cat f* | md5sum; wc -c < large; ls | wc -l'))).toEqual(
        result({ stdout }),
      )
    }
  })
})
