import { describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { makeHost, until, watchWorkers } from './helpers.ts'

describe('an idle worker', () => {
  it('ends after idleWorkerTimeout', async () => {
    const host = makeHost({ idleWorkerTimeout: 0.3 })
    const sandbox = await StrandsShellSandbox.open({}, { host })
    await sandbox.close()
    expect(host.stats()).toMatchObject({ workers: 1, leased: 0, idle: 1, retired: 0 })
    await until(() => host.stats().workers === 0)
  })

  it('is reused within that time, which starts anew when it is idle again', async () => {
    const workers = watchWorkers()
    const host = makeHost({ idleWorkerTimeout: 0.4 })
    for (let round = 0; round < 3; round++) {
      const sandbox = await StrandsShellSandbox.open({}, { host })
      await sandbox.execute('sleep 0.2')
      await sandbox.close()
    }
    expect([workers.length, host.stats().idle]).toEqual([1, 1])
    await until(() => host.stats().workers === 0)
  })

  it('does not end while it is leased, however long', async () => {
    const host = makeHost({ idleWorkerTimeout: 0.1 })
    const first = await StrandsShellSandbox.open({}, { host })
    await first.close()
    const second = await StrandsShellSandbox.open({}, { host })
    await second.execute('x=kept; sleep 0.4')
    expect((await second.execute('echo $x')).stdout).toBe('kept\n')
    expect(second.generation).toBe(1)
  })

  it('past maxIdleWorkers ends at once', async () => {
    const host = makeHost({ maxIdleWorkers: 1 })
    const sandboxes = await Promise.all([1, 2, 3].map(() => StrandsShellSandbox.open({}, { host })))
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
    await until(() => host.stats().workers === 1)
    expect(host.stats()).toMatchObject({ workers: 1, leased: 0, idle: 1, retired: 0 })
  })

  it('is not kept at all where maxIdleWorkers is 0', async () => {
    const host = makeHost({ maxIdleWorkers: 0 })
    const sandbox = await StrandsShellSandbox.open({}, { host })
    await sandbox.close()
    await until(() => host.stats().workers === 0)
  })
})
