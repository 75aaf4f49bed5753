import { describe, expect, it } from 'vitest'
import { HostSaturatedError, StrandsShellSandbox } from '../../src/index.ts'
import { aborted, closed, endOf, printed, saturated, timedOut, until, within } from '../faults/helpers.ts'
import { recordEvents, sharedHost } from './helpers.ts'

describe('past maxSandboxes', () => {
  it('callers wait, and are served in the order in which they came', async () => {
    const host = sharedHost({ maxSandboxes: 1 })
    const told = recordEvents(host)
    const open = await host.open()
    const served: number[] = []
    const waiting = [1, 2, 3].map(async (caller) => {
      const sandbox = await host.open({}, { id: `${caller}` })
      served.push(caller)
      return sandbox
    })
    await until(() => host.stats().queued === 3)
    expect(host.stats()).toMatchObject({ leased: 1, queued: 3 })
    expect(told.filter(([event]) => event === 'queued').map(([, data]) => data)).toEqual(
      [1, 2, 3].map((queued) => ({ id: `${queued}`, isolation: 'shared', generation: 1, queued })),
    )
    await open.close()
    await (await waiting[0])?.close()
    const second = await waiting[1]
    expect(host.stats().queued).toBe(1)
    await second?.close()
    const last = await waiting[2]
    expect(await last?.execute('echo a')).toEqual(printed('a\n'))
    expect([served, host.stats().peak, host.stats().queueWait.count]).toEqual([[1, 2, 3], 1, 3])
  })

  it('past maxQueued callers are rejected, and the error has the figures', async () => {
    const host = sharedHost({ maxSandboxes: 1, maxQueued: 1 })
    const told = recordEvents(host)
    const open = await host.open()
    const waits = host.open()
    await until(() => host.stats().queued === 1)
    const error = await host.open({}, { id: 'a' }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(HostSaturatedError)
    expect(error).toMatchObject({
      message: expect.stringMatching(/1 sandboxes are open \(maxSandboxes: 1\) and 1 wait .*maxQueued: 1/),
      saturation: {
        reached: ['maxSandboxes', 'maxQueued'],
        open: 1,
        maxSandboxes: 1,
        cells: 0,
        queued: 1,
        maxQueued: 1,
        retired: 0,
        maxRetired: 64,
      },
    })
    expect(told.filter(([event]) => event === 'rejected')).toEqual([
      ['rejected', { id: 'a', isolation: 'shared', generation: 1, reason: 'HOST_SATURATED' }],
    ])
    await open.close()
    expect(await (await waits).execute('echo a')).toEqual(printed('a\n'))
  })

  it('a caller is refused after openTimeout and leaves the queue', async () => {
    const host = sharedHost({ maxSandboxes: 1, openTimeout: 2 })
    const open = await host.open()
    expect(await within(60, endOf(host.open()))).toEqual(saturated)
    expect(host.stats().queued).toBe(0)
    await open.close()
    expect(await (await host.open()).execute('echo a')).toEqual(printed('a\n'))
  })

  it('a caller whose signal fires leaves the queue', async () => {
    const host = sharedHost({ maxSandboxes: 1 })
    const open = await host.open()
    const abort = new AbortController()
    const leaves = endOf(host.open({}, { signal: abort.signal }))
    const stays = host.open()
    await until(() => host.stats().queued === 2)
    abort.abort()
    expect(await within(60, leaves)).toEqual(aborted)
    expect(host.stats().queued).toBe(1)
    await open.close()
    expect(await (await stays).execute('echo a')).toEqual(printed('a\n'))
  })

  it('a sandbox none of whose calls waits any more leaves the queue, and may come again', async () => {
    const host = sharedHost({ maxSandboxes: 1 })
    const told = recordEvents(host)
    const open = await host.open()
    const sandbox = new StrandsShellSandbox({}, { host })
    const abort = new AbortController()
    const first = endOf(sandbox.execute('echo a', { signal: abort.signal }))
    const second = endOf(sandbox.execute('echo b', { timeout: 0.3 }))
    await until(() => host.stats().queued === 1)
    abort.abort()
    expect(await within(60, first)).toEqual(aborted)
    expect(host.stats().queued).toBe(1)
    expect(await within(60, second)).toEqual(timedOut)
    expect(host.stats().queued).toBe(0)
    const again = sandbox.execute('echo again')
    await until(() => host.stats().queued === 1)
    await open.close()
    expect(await within(60, again)).toEqual(printed('again\n'))
    expect(told.filter(([event]) => event === 'rejected')).toEqual([])
    await sandbox.close()
  })

  it('a lost session gives its place to the one that waits, and waits for its own', async () => {
    const host = sharedHost({ maxSandboxes: 1 })
    const first = await host.open()
    const waits = host.open()
    await until(() => host.stats().queued === 1)
    await endOf(first.execute('fault exit'))
    const second = await within(60, waits)
    const again = first.execute('echo again')
    await until(() => host.stats().queued === 1)
    expect(await second.execute('echo a')).toEqual(printed('a\n'))
    await second.close()
    expect(await within(60, again)).toEqual(printed('again\n'))
  })

  it('callers are told when the host closes', async () => {
    const host = sharedHost({ maxSandboxes: 1 })
    await host.open({}, { id: 'held' })
    const waits = endOf(host.open())
    await until(() => host.stats().queued === 1)
    await host.close()
    expect(await within(60, waits)).toEqual(closed)
  })
})
