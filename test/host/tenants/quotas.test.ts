import { describe, expect, it, onTestFinished } from 'vitest'
import { HostSaturatedError, ShellHost } from '../../../src/index.ts'
import { endOf, printed, saturated, until } from '../../faults/helpers.ts'
import { MemoryStore } from '../../support/memory-store.ts'
import { sharedHost } from '../helpers.ts'

const of = (tenant: string) => ({ labels: { tenant } })

describe('a tenant at its quota', () => {
  it('of sandboxes waits, others open, and the error names quota and tenant', async () => {
    const quotas = { label: 'tenant', maxSandboxes: 2, tenants: { big: { maxSandboxes: 3 } } }
    const host = sharedHost({ quotas, openTimeout: 6 })
    const all = await Promise.all(['a', 'a', 'b', 'big', 'big', 'big'].map((name) => host.open(of(name))))
    await host.open()
    const late = host.open(of('a')).catch((error: unknown) => error)
    await until(() => host.stats().queued === 1)
    expect(host.stats().tenants).toEqual([
      { tenant: 'a', leased: 2, queued: 1, running: 0, waiting: 0 },
      { tenant: 'b', leased: 1, queued: 0, running: 0, waiting: 0 },
      { tenant: 'big', leased: 3, queued: 0, running: 0, waiting: 0 },
      { tenant: '', leased: 1, queued: 0, running: 0, waiting: 0 },
    ])
    expect(await endOf(host.open(of('b')))).toMatchObject({ status: 'open' })
    const error = await late
    expect(error).toBeInstanceOf(HostSaturatedError)
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /openTimeout \(6 s\).*Sandboxes with tenant "a" are at most 2 \(quotas\.maxSandboxes\), and 1 more wait/,
      ),
      saturation: {
        reached: ['quotas.maxSandboxes'],
        tenant: { label: 'tenant', value: 'a', open: 2, maxSandboxes: 2, queued: 1 },
      },
    })
    await all[0]?.close()
    expect(await (await host.open(of('a'))).execute('echo a')).toEqual(printed('a\n'))
  })

  it('of openings waits for the next part of the minute', async () => {
    const host = sharedHost({ quotas: { label: 'tenant', opensPerMinute: 10 } })
    const opening = Promise.all(Array.from({ length: 11 }, () => host.open(of('a'))))
    await until(() => host.stats().queued === 1)
    await host.open(of('b'))
    expect(host.stats().queued).toBe(1)
    expect((await opening).length).toBe(11)
  })

  it('of openings is refused where nobody may wait, and the error names quota and tenant', async () => {
    const host = sharedHost({ quotas: { label: 'tenant', opensPerMinute: 1 }, onSaturated: 'reject' })
    await (await host.open(of('a'))).close()
    const error = await host.open(of('a')).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'HOST_SATURATED',
      message: expect.stringContaining('tenant "a" open at most 1 times a minute (quotas.opensPerMinute)'),
      saturation: { reached: ['quotas.opensPerMinute', 'maxQueued'], tenant: { opensPerMinute: 1, open: 0 } },
    })
    await (await host.open(of('b'))).close()
  })

  it('of openings counts sessions that open again', async () => {
    const host = sharedHost({ quotas: { label: 'tenant', opensPerMinute: 2 }, onSaturated: 'reject' })
    const sandbox = await host.open(of('a'))
    for (const _ of [1, 2]) await endOf(sandbox.execute('fault exit'))
    expect(await endOf(sandbox.execute('true'))).toEqual(saturated)
  })

  it('of running commands runs no more, and others run', async () => {
    const host = sharedHost({ maxRunning: 4, quotas: { label: 'tenant', maxRunning: 1 } })
    const sandboxes = await Promise.all(['a', 'a', 'a', 'b'].map((name) => host.open(of(name))))
    const calls = sandboxes.map((sandbox) => sandbox.execute('sleep 0.1; echo a'))
    await until(() => host.stats().running === 2)
    expect(host.stats().tenants).toEqual([
      { tenant: 'a', leased: 3, queued: 0, running: 1, waiting: 2 },
      { tenant: 'b', leased: 1, queued: 0, running: 1, waiting: 0 },
    ])
    expect(await Promise.all(calls)).toEqual(sandboxes.map(() => printed('a\n')))
  })
})

describe('places of idle sandboxes', () => {
  /** A host with a store, and who has hibernated, in order. */
  function storingHost(options: object) {
    const host = new ShellHost({ isolation: 'shared', hibernate: { store: new MemoryStore() }, ...options })
    onTestFinished(() => host.close())
    const stored: (string | undefined)[] = []
    host.on('hibernated', ({ id }) => stored.push(id))
    const open = (id: string) =>
      host.getOrOpen(id, { shell: 'bash', checkpoint: 'never', ...of(id.slice(0, 1)) })
    return { open, stored }
  }

  it('of a tenant at its quota are its own: it takes none from others', async () => {
    const { open, stored } = storingHost({ maxSandboxes: 8, quotas: { label: 'tenant', maxSandboxes: 2 } })
    for (const id of ['b1', 'a1', 'b2', 'a2', 'a3', 'a4']) await open(id)
    expect(stored).toEqual(['a1', 'a2'])
  })

  it('are taken of the tenant with the most where the host is full', async () => {
    const { open, stored } = storingHost({ maxSandboxes: 4, quotas: { label: 'tenant' } })
    for (const id of ['b1', 'a1', 'a2', 'a3', 'c1', 'c2']) await open(id)
    expect(stored).toEqual(['a1', 'a2'])
  })
})
