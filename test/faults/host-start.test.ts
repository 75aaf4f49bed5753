import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SandboxConfigError, StrandsShellSandbox } from '../../src/index.ts'
import {
  durationOf,
  endOf,
  failureOf,
  faultyWorker,
  lost,
  makeHost,
  printed,
  until,
  watchWorkers,
  within,
} from './helpers.ts'

/** A worker entry to write to; removed at the test's end. */
function entryFile(source: string): { url: URL; path: string } {
  const directory = mkdtempSync(join(tmpdir(), 'worker-entry-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'entry.cjs')
  writeFileSync(path, source)
  return { url: pathToFileURL(path), path }
}

/** Puts a worker entry that works there, and the file of it that commands load. */
function repair(path: string): void {
  copyFileSync(fileURLToPath(new URL('translate.cjs', faultyWorker)), join(dirname(path), 'translate.cjs'))
  copyFileSync(fileURLToPath(faultyWorker), `${path}.new`)
  renameSync(`${path}.new`, path)
}

describe('a host whose worker entry', () => {
  it('does not exist says so, naming workerUrl, and starts nothing', async () => {
    const workers = watchWorkers()
    const host = makeHost({ workerUrl: 'file:///no/such/entry.cjs' })
    const error = await StrandsShellSandbox.open({}, { host }).catch((error: unknown) => error)
    expect(failureOf(error)).toEqual({ name: 'SandboxConfigError', code: 'INVALID_CONFIG' })
    expect(error).toMatchObject({
      field: 'workerUrl',
      message: expect.stringContaining('/no/such/entry.cjs'),
    })
    expect(workers).toEqual([])
  })

  it('appears later opens sandboxes from then on', async () => {
    const { url, path } = entryFile('')
    rmSync(path)
    const host = makeHost({ workerUrl: url })
    const sandbox = new StrandsShellSandbox({}, { host })
    await expect(sandbox.execute('true')).rejects.toBeInstanceOf(SandboxConfigError)
    repair(path)
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
  })

  it('throws at load rejects every pending open quickly, and backs off', async () => {
    const { url } = entryFile('throw new Error("no good")')
    const host = makeHost({ workerUrl: url })
    const open = () =>
      Promise.all(Array.from({ length: 6 }, () => endOf(StrandsShellSandbox.open({}, { host }))))
    const start = performance.now()
    const ends = await within(60, open())
    const first = performance.now() - start
    expect(ends).toEqual(ends.map(() => lost('WORKER_FAILED')))
    await until(() => host.stats().workers === 0)
    const single = await durationOf(() => StrandsShellSandbox.open({}, { host }))
    expect(first).toBeLessThan(10_000)
    expect(single).toBeGreaterThan(90)
  })

  it('throws at load and is then replaced recovers, after one step of back-off whatever number of opens failed', async () => {
    const { url, path } = entryFile('throw new Error("no good")')
    const host = makeHost({ workerUrl: url, maxSandboxes: 16 })
    const failing = Array.from({ length: 8 }, () => endOf(StrandsShellSandbox.open({}, { host })))
    expect(await within(60, Promise.all(failing))).toEqual(failing.map(() => lost('WORKER_FAILED')))
    await until(() => host.stats().workers === 0)
    repair(path)
    const sandbox = new StrandsShellSandbox({}, { host })
    expect(await durationOf(() => within(60, sandbox.open()))).toBeLessThan(20_000)
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
    expect(host.stats()).toMatchObject({ workers: 1, leased: 1, idle: 0, retired: 0 })
  })

  it('exits at load is a typed error', async () => {
    const host = makeHost({ workerUrl: entryFile('process.exit(3)').url })
    expect(await within(60, endOf(StrandsShellSandbox.open({}, { host })))).toEqual(lost('WORKER_EXITED'))
    await until(() => host.stats().workers === 0)
  })

  it('exports no function is a typed error, and each failed open takes its worker with it', async () => {
    const host = makeHost({ workerUrl: entryFile('module.exports = {}').url })
    for (let round = 0; round < 3; round++) {
      expect(await within(60, endOf(StrandsShellSandbox.open({}, { host })))).toMatchObject({
        code: 'WORKER_LOST',
      })
    }
    await until(() => host.stats().workers === 0)
  })

  it('fails in one of several workers that start at once does not start more than were asked for', async () => {
    const { url, path } = entryFile('')
    const good = fileURLToPath(faultyWorker)
    writeFileSync(
      path,
      `const { openSync } = require('node:fs')
       if (globalThis.first === undefined) {
         globalThis.first = true
         try { openSync(${JSON.stringify(`${path}.first`)}, 'wx') } catch { globalThis.first = false }
       }
       const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
       // It takes its time to end, while the others come to be ready.
       if (globalThis.first) process.once('exit', () => wait(1000))
       if (globalThis.first) throw new Error('the first worker fails')
       wait(300)
       module.exports = require(${JSON.stringify(good)})`,
    )
    const workers = watchWorkers()
    const host = makeHost({ workerUrl: url, maxSandboxes: 24 })
    const opens = [1, 2, 3, 4].map(() => StrandsShellSandbox.open({}, { host }))
    const ends = await within(60, Promise.allSettled(opens))
    for (const end of ends)
      if (end.status === 'rejected') expect(failureOf(end.reason)).toEqual(lost('WORKER_FAILED'))
    const sandbox = await within(60, StrandsShellSandbox.open({}, { host }))
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
    expect(workers.length).toBeLessThan(10)
    for (const end of ends) if (end.status === 'fulfilled') await end.value.close()
    await sandbox.close()
    await until(() => host.stats().leased === 0 && host.stats().workers <= 4)
  })

  it('fails leaves the open sandboxes of the host alone', async () => {
    const { url, path } = entryFile('')
    repair(path)
    const host = makeHost({ workerUrl: url })
    const sandbox = await StrandsShellSandbox.open({}, { host })
    writeFileSync(path, 'throw new Error("no good")')
    expect(await endOf(StrandsShellSandbox.open({}, { host }))).toEqual(lost('WORKER_FAILED'))
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
    await sandbox.close()
  })
})

describe.each(['worker', 'shared'] as const)(
  'a bash worker that is ended before it has started (%s)',
  (isolation) => {
    it('fails no opening but the one that was given up', async () => {
      const workers = watchWorkers()
      const host = makeHost({ isolation, sandboxesPerWorker: 1 })
      const abort = new AbortController()
      const givenUp = endOf(host.open({ shell: 'bash' }, { signal: abort.signal }))
      await until(() => workers.length === 1)
      const other = endOf(host.open({ shell: 'bash' }).then((sandbox) => sandbox.execute('echo a')))
      abort.abort()
      expect(await givenUp).toMatchObject({ code: 'ABORTED' })
      expect(await within(60, other)).toEqual(printed('a\n'))
      await until(() => workers[0]?.threadId === -1)
      const next = await host.open({ shell: 'bash' })
      expect(await next.execute('echo b')).toEqual(printed('b\n'))
    })
  },
)
