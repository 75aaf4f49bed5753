import { describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { endOf, failingOpen, faultyHost, lost, newest, printed, until, watchWorkers } from './helpers.ts'
import { describeLoss } from './loss-cases.ts'

describeLoss({
  title: 'throws',
  cause: 'WORKER_FAILED',
  open: 'throw',
  call: 'fault throw',
  idle: 'fault throw-idle',
  closing: 'fault throw',
  closeMode: 'close-throw',
})

describe('a worker that ever threw', () => {
  it('says what it threw', async () => {
    const sandbox = new StrandsShellSandbox({}, { host: faultyHost() })
    const error = await sandbox.execute('fault throw').catch((error: unknown) => error)
    expect(error).toMatchObject({ cause: { message: expect.stringContaining('the worker is out of order') } })
  })

  it('is not reused, although its lease was closed before it threw', async () => {
    const workers = watchWorkers()
    const host = faultyHost()
    const first = new StrandsShellSandbox({}, { host })
    await first.execute('fault throw-idle')
    await first.close()
    await until(() => host.stats().workers === 0)
    const second = new StrandsShellSandbox({}, { host })
    expect(await second.execute('echo a')).toEqual(printed('a\n'))
    expect(workers.length).toBe(2)
  })

  it('is not reused when it threw under a call that was answered all the same', async () => {
    const workers = watchWorkers()
    const host = faultyHost()
    const first = new StrandsShellSandbox({}, { host })
    await first.open()
    expect(await endOf(first.execute('fault throw'))).toEqual(lost('WORKER_FAILED'))
    const threw = newest(workers).threadId
    await first.close()
    const second = new StrandsShellSandbox({}, { host })
    await second.execute('true')
    expect(newest(workers).threadId).not.toBe(threw)
    await until(() => host.stats().workers === 1)
  })

  it('serves no session when it threw just after the build', async () => {
    const host = faultyHost()
    const sandbox = new StrandsShellSandbox(failingOpen('throw-late'), { host })
    expect(await endOf(sandbox.execute('sleep 0.2; echo a'))).toEqual(lost('WORKER_FAILED'))
    await until(() => host.stats().workers === 0)
  })
})
