import threads from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endOf, failingOpen, faultyHost, lost, makeHost, printed, until } from './helpers.ts'

const { Worker } = threads

/** As if the operating system had no more threads. */
function noThread(): never {
  throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' })
}

/** Has every worker be started in another way, until it is told otherwise. */
function startBy(start: (options: threads.WorkerOptions) => threads.Worker): { restore: () => void } {
  threads.Worker = new Proxy(Worker, { construct: (_, [, options]) => start(options) })
  const restore = () => {
    threads.Worker = Worker
  }
  onTestFinished(restore)
  return { restore }
}

describe('where no thread can be started', () => {
  it.each([
    ['worker', 'bash'],
    ['worker', 'strands'],
    ['shared', 'bash'],
    ['shared', 'strands'],
  ] as const)('openings are refused, and work again later: %s, %s', async (isolation, shell) => {
    const host = makeHost({ isolation, sandboxesPerWorker: 1 })
    const before = await host.open({ shell })
    const limit = startBy(noThread)
    const refused = await Promise.all(Array.from({ length: 5 }, () => endOf(host.open({ shell }))))
    expect(refused).toEqual(Array.from({ length: 5 }, () => lost('WORKER_FAILED')))
    expect(await before.execute('echo a')).toEqual(printed('a\n'))
    limit.restore()
    const after = await Promise.all([host.open({ shell }), host.open({ shell })])
    for (const sandbox of [before, ...after]) expect(await sandbox.execute('echo b')).toEqual(printed('b\n'))
    expect(host.stats()).toMatchObject({ open: 3, workers: 3, leased: 3 })
  })

  it('says what the system has said and what to do', async () => {
    const host = makeHost()
    startBy(noThread)
    await expect(host.open()).rejects.toThrow(/EAGAIN.*ulimit -u/s)
  })

  it('openings that wait for a worker which starts are served by it', async () => {
    const host = makeHost({ isolation: 'shared', sandboxesPerWorker: 4 })
    const opening = [host.open(), host.open()]
    await until(() => host.stats().workers === 1)
    startBy(noThread)
    const later = [host.open(), host.open()]
    for (const sandbox of await Promise.all([...opening, ...later]))
      expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
  })

  it('an opening whose worker has started goes on where the worker of another cannot', async () => {
    const host = faultyHost()
    const slow = host.open(failingOpen('slow'))
    await until(() => host.stats().leased === 1)
    startBy((options) => new Worker('throw new Error("no file can be opened")', { ...options, eval: true }))
    expect(await endOf(host.open())).toEqual(lost('WORKER_FAILED'))
    expect(await (await slow).execute('echo a')).toEqual(printed('a\n'))
  })
})
