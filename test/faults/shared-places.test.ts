import { describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { engineThreads, failingOpen, faultyHost, makeHost, printed, until, watchWorkers } from './helpers.ts'

describe("isolation 'shared'", () => {
  it('starts a worker for every sandboxesPerWorker sandboxes, however many open at once', async () => {
    const workers = watchWorkers()
    const host = makeHost({ isolation: 'shared', sandboxesPerWorker: 8 })
    const sandboxes = await Promise.all(
      Array.from({ length: 24 }, () => StrandsShellSandbox.open({}, { host })),
    )
    expect([workers.length, host.stats().leased]).toEqual([3, 24])
    const outputs = sandboxes.map((sandbox, index) => sandbox.execute(`x=${index}; echo $x`))
    expect(await Promise.all(outputs)).toEqual(sandboxes.map((_, index) => printed(`${index}\n`)))
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
    expect(host.stats()).toMatchObject({ workers: 3, leased: 0, idle: 3, retired: 0 })
    const again = await Promise.all(Array.from({ length: 24 }, () => StrandsShellSandbox.open({}, { host })))
    expect([workers.length, again.length]).toEqual([3, 24])
  })

  it('fills the fullest worker first, so that others become idle', async () => {
    const host = makeHost({ isolation: 'shared', sandboxesPerWorker: 2 })
    const sandboxes = await Promise.all([1, 2, 3, 4].map(() => StrandsShellSandbox.open({}, { host })))
    await sandboxes[0]?.close()
    await sandboxes[3]?.close()
    sandboxes.push(await StrandsShellSandbox.open({}, { host }))
    expect(host.stats()).toMatchObject({ workers: 2, leased: 3 })
    for (const sandbox of sandboxes) await sandbox.close()
  })

  it('is overridden by the config of a sandbox', async () => {
    const workers = watchWorkers()
    const host = makeHost({ isolation: 'shared' })
    const shared = [
      await StrandsShellSandbox.open({}, { host }),
      await StrandsShellSandbox.open({}, { host }),
    ]
    const own = await StrandsShellSandbox.open({ isolation: 'worker' }, { host })
    expect(workers.length).toBe(2)
    await own.close()
    shared.push(await StrandsShellSandbox.open({}, { host }))
    expect(host.stats()).toMatchObject({ workers: 2, leased: 3, idle: 1, retired: 0 })
    for (const sandbox of shared) await sandbox.close()
  })

  it('a slow build, a long command or a large file of one sandbox does not delay its neighbours', async () => {
    const host = faultyHost({ isolation: 'shared' })
    const [busy, large, quick] = await Promise.all(
      [1, 2, 3].map(() => StrandsShellSandbox.open({}, { host })),
    )
    const long = busy?.execute('sleep 5; echo long')
    const slow = StrandsShellSandbox.open(failingOpen('slow'), { host })
    const content = new Uint8Array(9 * 1024 * 1024)
    const write = large?.writeFile('/tmp/large', content)
    const start = performance.now()
    for (let call = 0; call < 20; call++) expect(await quick?.execute('echo a')).toEqual(printed('a\n'))
    expect(performance.now() - start).toBeLessThan(4500)
    await write
    expect(await long).toEqual(printed('long\n'))
    await slow
  })

  it('frees the thread of a closed shell within two seconds, beside neighbours at work', async () => {
    const host = makeHost({ isolation: 'shared' })
    const stays = await StrandsShellSandbox.open({}, { host })
    await stays.execute('x=kept')
    const sandboxes = await Promise.all(
      Array.from({ length: 20 }, () => StrandsShellSandbox.open({}, { host })),
    )
    const threads = engineThreads()
    let atWork = true
    const work = (async () => {
      while (atWork) await stays.execute('true')
    })()
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
    await until(() => engineThreads() <= threads - 20)
    atWork = false
    await work
    expect(await stays.execute('echo $x')).toEqual(printed('kept\n'))
  })
})
