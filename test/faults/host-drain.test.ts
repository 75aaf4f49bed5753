import { describe, expect, it } from 'vitest'
import { ShellHost, StrandsShellSandbox, setDefaultHost } from '../../src/index.ts'
import { threadLevels } from '../support/describe-engines.ts'
import { closed, endOf, faultyHost, printed, until, within } from './helpers.ts'
import { endedWell, runChild } from './run-child.ts'

describe('draining a host', () => {
  it.each(threadLevels)(
    'lets pending calls end, settles the rest after the grace, and leaves no worker, port, timer or thread (%s)',
    async (isolation) => {
      expect(await runChild('drain', [isolation], 40)).toEqual(
        endedWell(
          JSON.stringify({
            ends: ['CLOSED', '1', '2', '3'],
            refused: 'CLOSED',
            within: true,
            left: { workers: 0, leased: 0, idle: 0, retired: 0, open: 0 },
            resources: 'as before',
            threads: 'as before',
            closed: { closed: 1, drained: 4 },
          }),
        ),
      )
    },
  )

  it('closes idle sandboxes at once, refuses those that wait for a place, and opens nothing more', async () => {
    const host = faultyHost({ isolation: 'shared', maxSandboxes: 2 })
    const [busy, idle] = [await host.open(), await host.open()]
    const waits = endOf(host.open())
    await until(() => host.stats().queued === 1)
    const call = busy.execute('sleep 0.4; echo done')
    const drained = host.drain()
    await until(() => idle.status === 'closed')
    expect([await waits, await endOf(host.open())]).toEqual([closed, closed])
    expect(busy.status).toBe('open')
    expect(await call).toEqual(printed('done\n'))
    await within(60, drained)
    expect([busy.status, host.stats().workers]).toEqual(['closed', 0])
    await host.drain()
  })

  it('rejects a grace that is not a number of seconds', async () => {
    const host = faultyHost()
    expect(await endOf(host.drain({ grace: -1 }))).toMatchObject({ code: 'INVALID_CONFIG' })
  })
})

describe('setDefaultHost', () => {
  it('replaces the host of sandboxes that name none, before its first use and not after', async () => {
    const host = faultyHost({ isolation: 'shared', defaults: { env: { WHO: 'host' } } })
    setDefaultHost(host)
    const sandbox = await StrandsShellSandbox.open()
    expect(await sandbox.execute('echo $WHO')).toEqual(printed('host\n'))
    expect([sandbox.isolation, host.stats().leased]).toEqual(['shared', 1])
    expect(() => setDefaultHost(new ShellHost())).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }))
    expect(() => setDefaultHost({} as ShellHost)).toThrow(expect.objectContaining({ field: 'host' }))
    await sandbox.close()
  })
})
