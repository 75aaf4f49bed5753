import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { byTier } from '../support/tier.ts'
import {
  aborted,
  durationOf,
  endOf,
  failingOpen,
  faultySandbox,
  lost,
  makeHost,
  printed,
  until,
} from './helpers.ts'

function realSandbox(config = {}) {
  const host = makeHost()
  return { host, sandbox: new StrandsShellSandbox(config, { host }) }
}

describe('an abort', () => {
  it("rejects the call at once with the signal's reason as cause", async () => {
    const { sandbox } = realSandbox()
    await sandbox.open()
    const abort = new AbortController()
    const call = sandbox.execute('sleep 4', { signal: abort.signal })
    const reason = new Error('the user left')
    abort.abort(reason)
    expect(await durationOf(() => call)).toBeLessThan(3500)
    expect(await call.catch((error: unknown) => error)).toMatchObject({
      ...aborted,
      cause: reason,
      stdout: '',
      stderr: '',
    })
  })

  it("under 'keep' keeps the session, and later calls wait for the old command", async () => {
    const { sandbox } = realSandbox()
    const abort = new AbortController()
    await sandbox.execute('x=kept')
    const call = endOf(sandbox.execute('sleep 0.3; y=ran', { signal: abort.signal }))
    abort.abort()
    expect(await call).toEqual(aborted)
    expect(await sandbox.execute('echo $x $y')).toEqual(printed('kept ran\n'))
    expect(sandbox.generation).toBe(1)
  })

  it("under 'reset' loses the session: calls behind it reject, the next one runs in a fresh session", async () => {
    const { sandbox, host } = realSandbox({ onInterrupt: 'reset' })
    await sandbox.execute('echo a > /tmp/kept')
    const abort = new AbortController()
    const calls = [
      sandbox.execute('sleep 0.3', { signal: abort.signal }),
      sandbox.execute('echo behind'),
    ].map(endOf)
    abort.abort()
    expect(await Promise.all(calls)).toEqual([aborted, lost('RESET')])
    expect(await sandbox.execute('ls /tmp')).toEqual(printed(''))
    expect(sandbox.generation).toBe(2)
    await until(() => host.stats().workers === 1)
  })

  it.each(['keep', 'reset'] as const)(
    "takes a queued call back, under '%s': it never runs",
    async (onInterrupt) => {
      const { sandbox } = realSandbox({ onInterrupt })
      await sandbox.open()
      const abort = new AbortController()
      const running = sandbox.execute('sleep 0.3; echo ran')
      const queued = [1, 2, 3].map((n) =>
        endOf(sandbox.execute(`echo a > /tmp/marker${n}`, { signal: abort.signal })),
      )
      const behind = sandbox.execute('ls /tmp')
      abort.abort()
      expect(await Promise.all(queued)).toEqual([aborted, aborted, aborted])
      expect([await running, await behind]).toEqual([printed('ran\n'), printed('')])
      expect([sandbox.status, sandbox.generation]).toEqual(['open', 1])
    },
  )

  it('before the call starts nothing, not even a worker', async () => {
    const { sandbox, host } = realSandbox()
    const reason = { why: 'too late' }
    const signal = AbortSignal.abort(reason)
    for (const call of [
      sandbox.execute('echo a > /tmp/marker', { signal }),
      sandbox.executeCode('print(1)', 'lua', { signal }),
      sandbox.executeStreaming('echo a', { signal }).next(),
    ]) {
      expect(await call.catch((error: unknown) => error)).toMatchObject({ ...aborted, cause: reason })
    }
    expect([sandbox.status, host.stats().workers]).toEqual(['new', 0])
    expect(await sandbox.execute('ls /tmp')).toEqual(printed(''))
    expect(await endOf(sandbox.execute('echo a > /tmp/marker', { signal }))).toEqual(aborted)
    expect(await sandbox.execute('ls /tmp')).toEqual(printed(''))
  })

  it('during open rejects its call at once; the command never runs, and the sandbox opens for the others', async () => {
    const { sandbox } = faultySandbox(failingOpen('slow'))
    const abort = new AbortController()
    const call = endOf(sandbox.execute('echo a > /tmp/marker', { signal: abort.signal }))
    const other = sandbox.execute('ls /tmp')
    abort.abort()
    expect(await call).toEqual(aborted)
    expect(sandbox.status).toBe('opening')
    expect(await other).toEqual(printed(''))
    expect(sandbox.generation).toBe(1)
  })

  it('after the call has ended changes nothing', async () => {
    const { sandbox } = realSandbox({ onInterrupt: 'reset' })
    const abort = new AbortController()
    await sandbox.execute('x=kept', { signal: abort.signal })
    abort.abort()
    expect(await sandbox.execute('echo $x')).toEqual(printed('kept\n'))
  })
})

describe('one signal passed to many calls', () => {
  const count = byTier({ default: 2000, full: 10_000 })

  it(`leaves no listener after ${count} of them, has one at most, and causes no warning`, async () => {
    const { sandbox } = realSandbox()
    await sandbox.open()
    const warnings: Error[] = []
    const warn = (warning: Error) => warnings.push(warning)
    process.on('warning', warn)
    onTestFinished(() => {
      process.off('warning', warn)
    })
    const { signal } = new AbortController()
    let most = 0
    for (let made = 0; made < count; made += 500) {
      const calls = Array.from({ length: 500 }, () => sandbox.execute('true', { signal }))
      most = Math.max(most, getEventListeners(signal, 'abort').length)
      await Promise.all(calls)
    }
    expect(most).toBe(1)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(warnings).toEqual([])
  })

  it('rejects all of those pending when it is aborted, also those that wait for the opening', async () => {
    const { sandbox } = realSandbox()
    const abort = new AbortController()
    const { signal } = abort
    const opening = Array.from({ length: 50 }, () => endOf(sandbox.execute('true', { signal })))
    abort.abort()
    expect(await Promise.all(opening)).toEqual(opening.map(() => aborted))
    const next = new AbortController()
    const calls = Array.from({ length: 500 }, () =>
      endOf(sandbox.execute('sleep 0.2', { signal: next.signal })),
    )
    await until(() => sandbox.status === 'open')
    next.abort()
    expect(await Promise.all(calls)).toEqual(calls.map(() => aborted))
    expect(getEventListeners(signal, 'abort').length + getEventListeners(next.signal, 'abort').length).toBe(0)
  })
})
