import { describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import {
  durationOf,
  endOf,
  failingOpen,
  faultySandbox,
  makeHost,
  printed,
  timedOut,
  until,
} from './helpers.ts'

function realSandbox(config = {}) {
  const host = makeHost()
  return { host, sandbox: new StrandsShellSandbox(config, { host }) }
}

describe('a per-call timeout', () => {
  it('rejects the call at that moment, with no output', async () => {
    const { sandbox } = realSandbox()
    await sandbox.open()
    const call = sandbox.execute('echo a; sleep 4', { timeout: 0.1 })
    const spent = await durationOf(() => call)
    expect(await endOf(call)).toEqual(timedOut)
    expect(await call.catch((error: unknown) => error)).toMatchObject({ stdout: '', stderr: '' })
    expect(spent).toBeGreaterThan(90)
    expect(spent).toBeLessThan(3500)
  })

  it("under 'keep' keeps the session, and later calls wait for the old command", async () => {
    const { sandbox } = realSandbox()
    await sandbox.execute('x=kept')
    const spent = await durationOf(async () => {
      expect(await endOf(sandbox.execute('sleep 0.5; y=ran', { timeout: 0.1 }))).toEqual(timedOut)
      expect(await sandbox.execute('echo $x $y')).toEqual(printed('kept ran\n'))
    })
    expect(spent).toBeGreaterThan(450)
    expect([sandbox.status, sandbox.generation]).toEqual(['open', 1])
  })

  it("under 'reset' gives the session up, and the next call runs in a fresh one at once", async () => {
    const { sandbox, host } = realSandbox({ onInterrupt: 'reset' })
    await sandbox.execute('x=kept; echo a > /tmp/kept')
    const spent = await durationOf(async () => {
      const queued = endOf(sandbox.execute('sleep 6', { timeout: 0.1 }))
      expect(await queued).toEqual(timedOut)
      expect([sandbox.status, sandbox.generation]).toEqual(['lost', 2])
      expect(await sandbox.execute('echo "$x"; ls /tmp')).toEqual(printed('\n'))
    })
    expect(spent).toBeLessThan(5500)
    expect([sandbox.status, sandbox.generation]).toEqual(['open', 2])
    expect(host.stats()).toMatchObject({ workers: 2, leased: 1, idle: 0, retired: 1 })
    await until(() => host.stats().workers === 1)
  })

  it("under 'reset' rejects the calls behind the interrupted one as a lost session", async () => {
    const { sandbox } = realSandbox({ onInterrupt: 'reset' })
    await sandbox.open()
    const calls = [sandbox.execute('sleep 2.5', { timeout: 0.1 }), sandbox.execute('echo behind')].map(endOf)
    expect(await Promise.all(calls)).toEqual([
      timedOut,
      { name: 'WorkerLostError', code: 'WORKER_LOST', cause: 'RESET' },
    ])
    expect(await sandbox.execute('echo next')).toEqual(printed('next\n'))
  })

  it.each(['keep', 'reset'] as const)(
    "takes a queued call back, under '%s': it never runs",
    async (onInterrupt) => {
      const { sandbox } = realSandbox({ onInterrupt })
      await sandbox.open()
      const running = sandbox.execute('sleep 0.4; echo ran')
      const queued = endOf(sandbox.execute('echo a > /tmp/marker', { timeout: 0.1 }))
      const behind = sandbox.execute('ls /tmp')
      expect(await queued).toEqual(timedOut)
      expect([await running, await behind]).toEqual([printed('ran\n'), printed('')])
      expect([sandbox.status, sandbox.generation]).toEqual(['open', 1])
    },
  )

  it('counts the time that its sandbox takes to open', async () => {
    const { sandbox } = faultySandbox(failingOpen('slow'))
    const call = sandbox.execute('echo a', { timeout: 0.1 })
    expect(await endOf(call)).toEqual(timedOut)
    expect(sandbox.status).toBe('opening')
    expect(await sandbox.execute('echo b')).toEqual(printed('b\n'))
    expect(sandbox.generation).toBe(1)
  })

  it('that does not expire has no effect', async () => {
    const { sandbox } = realSandbox()
    expect(await sandbox.execute('echo a', { timeout: 60 })).toEqual(printed('a\n'))
  })
})
