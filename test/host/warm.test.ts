import { describe, expect, it } from 'vitest'
import { endOf, lost, printed, until, watchWorkers } from '../faults/helpers.ts'
import { sharedHost } from './helpers.ts'

describe('warm workers', () => {
  it('start before the first sandbox and again after a burst, one per place at isolation worker', async () => {
    const workers = watchWorkers()
    const host = sharedHost({ isolation: 'worker', warm: 2, maxIdleWorkers: 0, idleWorkerTimeout: 0.3 })
    await until(() => host.stats().idle === 2 && host.stats().leased === 0)
    expect([workers.length, host.stats().open]).toEqual([2, 0])
    const burst = await Promise.all([host.open(), host.open(), host.open()])
    await until(() => host.stats().idle >= 2 && host.stats().leased === 3)
    for (const sandbox of burst) await sandbox.close()
    await until(() => host.stats().workers === 2)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(host.stats()).toMatchObject({ workers: 2, idle: 2 })
  })

  it('share a worker under isolation shared', async () => {
    const host = sharedHost({ warm: 10 })
    await until(() => host.stats().workers === 1 && host.stats().leased === 0)
    const sandbox = await host.open()
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
    expect(host.stats().workers).toBe(1)
    await sandbox.close()
  })

  it('never exceed maxSandboxes', async () => {
    const host = sharedHost({ isolation: 'worker', warm: 3, maxSandboxes: 2 })
    await until(() => host.stats().idle === 2)
    const sandbox = await host.open()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(host.stats()).toMatchObject({ workers: 2, leased: 1, idle: 1 })
    await sandbox.close()
  })

  it('are replaced after a loss', async () => {
    const host = sharedHost({ warm: 1 })
    const sandbox = await host.open({ onLost: 'fail' })
    expect(await endOf(sandbox.execute('fault exit'))).toEqual(lost('WORKER_EXITED'))
    await until(() => host.stats().idle === 1 && host.stats().leased === 0)
    await sandbox.close()
  })
})
