import { describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import {
  closed,
  endOf,
  failingOpen,
  failureOf,
  faultyHost,
  lost,
  makeHost,
  markedSandbox,
  until,
  within,
} from './helpers.ts'

const nothing = { workers: 0, leased: 0, idle: 0, retired: 0 }

describe('closing a host', () => {
  it('ends its idle workers', async () => {
    const host = faultyHost()
    const sandboxes = await Promise.all([1, 2, 3].map(() => StrandsShellSandbox.open({}, { host })))
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
    expect(host.stats()).toMatchObject({ workers: 3, leased: 0, idle: 3, retired: 0 })
    await within(60, host.close())
    expect(host.stats()).toMatchObject(nothing)
  })

  it('loses its open sandboxes: their next call says so, the ones after it that the host is closed', async () => {
    const host = faultyHost()
    const sandbox = await StrandsShellSandbox.open({}, { host })
    await within(60, host.close())
    await until(() => host.stats().workers === 0)
    expect([sandbox.status, host.stats()]).toMatchObject(['lost', nothing])
    expect(await endOf(sandbox.execute('echo a'))).toEqual(lost('HOST_CLOSED'))
    expect(await endOf(sandbox.execute('echo b'))).toEqual(closed)
    await sandbox.close()
  })

  it('resolves without waiting for a running command, whose call rejects at once; its worker ends with it', async () => {
    const { sandbox, host, begun } = markedSandbox()
    await sandbox.open()
    const calls = [sandbox.execute('fault slow'), sandbox.execute('echo queued')].map((call) =>
      call.catch((error: unknown) => failureOf(error).code),
    )
    await until(() => begun() === 'slow')
    await host.close()
    expect(host.stats()).toMatchObject({ workers: 1, leased: 0, idle: 0, retired: 1 })
    expect(sandbox.status).toBe('lost')
    expect(await within(60, Promise.all(calls))).toEqual(['WORKER_LOST', 'WORKER_LOST'])
    await until(() => host.stats().workers === 0)
  })

  it('while a sandbox opens settles it and leaves no worker', async () => {
    const host = faultyHost()
    const sandbox = new StrandsShellSandbox(failingOpen('slow'), { host })
    const calls = [sandbox.open(), sandbox.execute('echo a')].map((call) =>
      call.then(
        () => 'CLOSED',
        (error: unknown) => failureOf(error).code,
      ),
    )
    await until(() => host.stats().leased === 1)
    await within(60, host.close())
    for (const code of await within(60, Promise.all(calls))) expect(['CLOSED', 'WORKER_LOST']).toContain(code)
    await until(() => host.stats().workers === 0)
    expect(await endOf(StrandsShellSandbox.open({}, { host }))).toEqual(closed)
  })

  it('reports a sandbox that was opening as rejected', async () => {
    const host = faultyHost()
    const reasons: string[] = []
    host.on('rejected', ({ reason }) => reasons.push(reason))
    const opening = endOf(StrandsShellSandbox.open(failingOpen('slow'), { host }))
    await until(() => host.stats().leased === 1)

    await within(60, host.close())

    expect([await opening, reasons]).toEqual([closed, ['CLOSED']])
  })

  it('while a build hangs rejects the open at once, and resolves without waiting for it for ever', async () => {
    const host = faultyHost()
    const opening = endOf(StrandsShellSandbox.open(failingOpen('hang'), { host }))
    await until(() => host.stats().leased === 1)
    const closing = host.close()
    expect(await within(60, opening)).toEqual(closed)
    await within(60, closing)
  })

  it('twice at once closes it once; nothing opens after it', async () => {
    const host = makeHost()
    await StrandsShellSandbox.open({}, { host })
    await within(60, Promise.all([host.close(), host.close(), host[Symbol.asyncDispose]()]))
    expect(await endOf(StrandsShellSandbox.open({}, { host }))).toEqual(closed)
    await until(() => host.stats().workers === 0)
    expect(host.stats()).toMatchObject(nothing)
  })

  it('that was never used resolves', async () => {
    await within(60, makeHost().close())
  })
})
