import { describe, expect, it } from 'vitest'
import { type ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import { byTier } from '../support/tier.ts'
import { closed, endOf, faultyHost, lost, newest, printed, until, watchWorkers, within } from './helpers.ts'
import { endedWell, runChild } from './run-child.ts'

function openMany(count: number, host: ShellHost): Promise<StrandsShellSandbox[]> {
  return Promise.all(Array.from({ length: count }, () => StrandsShellSandbox.open({}, { host })))
}

describe('the loss of a shared worker', () => {
  it.each([
    ['throws', 'fault throw', 'WORKER_FAILED'],
    ['exits', 'fault exit-later', 'WORKER_EXITED'],
  ])('that %s is reported to each of its sandboxes, once', async (_, fault, cause) => {
    const workers = watchWorkers()
    const host = faultyHost({ isolation: 'shared' })
    const [first, ...others] = await openMany(6, host)
    expect([workers.length, host.stats().leased]).toEqual([1, 6])
    const pending = others.slice(0, 2).map((sandbox) => endOf(sandbox.execute('fault hang')))
    expect(await within(60, endOf(first?.execute(fault) ?? Promise.resolve()))).toEqual(lost(cause))
    expect(await within(60, Promise.all(pending))).toEqual([lost(cause), lost(cause)])
    await until(() => others.every(({ status }) => status === 'lost'))
    const next = others.map((sandbox) => endOf(sandbox.execute('echo a')))
    const told = others.map((_sandbox, index) => (index < 2 ? printed('a\n') : lost(cause)))
    expect(await within(60, Promise.all(next))).toEqual(told)
    const again = others.map((sandbox) => endOf(sandbox.execute('echo b')))
    expect(await within(60, Promise.all(again))).toEqual(others.map(() => printed('b\n')))
    expect(others.map(({ generation }) => generation)).toEqual([2, 2, 2, 2, 2])
  })

  it('takes no sandbox of another worker', async () => {
    const workers = watchWorkers()
    const host = faultyHost({ isolation: 'shared', sandboxesPerWorker: 2 })
    const sandboxes = await openMany(4, host)
    expect(workers.length).toBe(2)
    expect(await endOf(sandboxes[0]?.execute('fault exit') ?? Promise.resolve())).toEqual(
      lost('WORKER_EXITED'),
    )
    const lives = sandboxes.filter(({ status }) => status === 'open')
    expect(lives.length).toBe(2)
    for (const sandbox of lives) expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
  })

  it('under load, with native calls of all its sandboxes in flight, leaves the process alive', {
    timeout: 120_000,
  }, async () => {
    const times = String(byTier({ default: 1, full: 6 }))
    expect(await runChild('shared-loss', [times], 110)).toEqual(endedWell(`lost ${times}: told`))
  })
})

describe('a place of a shared worker that is given up', () => {
  it.each<readonly [string, (sandbox: StrandsShellSandbox, abort: AbortController) => unknown]>([
    ['by closing under a call', (sandbox) => sandbox.close()],
    ['by a reset', (_sandbox, abort) => abort.abort()],
  ])('%s leaves its neighbours alone; nobody moves in until its call has ended', async (_, giveUp) => {
    const workers = watchWorkers()
    const host = faultyHost({ isolation: 'shared' })
    const abort = new AbortController()
    const left = await StrandsShellSandbox.open({ onInterrupt: 'reset' }, { host })
    const stays = await StrandsShellSandbox.open({}, { host })
    await stays.execute('x=kept')
    const call = endOf(left.execute('fault slow', { signal: abort.signal }))
    await stays.execute('true')
    await giveUp(left, abort)
    await call
    expect(host.stats()).toMatchObject({ workers: 1, leased: 1, idle: 0, retired: 1 })
    expect(await stays.execute('echo $x')).toEqual(printed('kept\n'))
    const elsewhere = await StrandsShellSandbox.open({}, { host })
    expect(workers.length).toBe(2)
    await until(() => host.stats().retired === 0)
    await elsewhere.close()
    const back = await openMany(3, host)
    expect(await stays.execute('echo $x')).toEqual(printed('kept\n'))
    expect([workers.length, host.stats().leased, back.length]).toEqual([2, 4, 3])
  })

  it('counts towards maxRetired while its call runs', async () => {
    const host = faultyHost({ isolation: 'shared', maxRetired: 2 })
    const sandboxes = await openMany(3, host)
    const calls = sandboxes.slice(1).map((sandbox) => endOf(sandbox.execute('fault slower')))
    // Their worker has begun them once it answers another call.
    await sandboxes[0]?.execute('true')
    await Promise.all(sandboxes.slice(1).map((sandbox) => sandbox.close()))
    expect(await Promise.all(calls)).toEqual([closed, closed])
    expect(await endOf(StrandsShellSandbox.open({}, { host }))).toMatchObject({ code: 'HOST_SATURATED' })
    await until(() => host.stats().retired === 0)
    const next = await StrandsShellSandbox.open({}, { host })
    expect(await next.execute('echo a')).toEqual(printed('a\n'))
  })

  it('as the last of its worker ends the worker, once its call has ended', async () => {
    const workers = watchWorkers()
    const host = faultyHost({ isolation: 'shared' })
    const [left, last] = await openMany(2, host)
    let ended = 0
    newest(workers).once('exit', () => {
      ended = performance.now()
    })
    const start = performance.now()
    const call = endOf(left?.execute('fault slow') ?? Promise.resolve())
    await last?.execute('true')
    await left?.close()
    await last?.close()
    await call
    await until(() => ended > 0)
    expect(ended - start).toBeGreaterThan(390)
    expect(host.stats()).toMatchObject({ workers: 0, leased: 0, idle: 0, retired: 0 })
  })

  it('is free again after a failed build', async () => {
    const workers = watchWorkers()
    const host = faultyHost({ isolation: 'shared', sandboxesPerWorker: 2 })
    const stays = await StrandsShellSandbox.open({}, { host })
    for (let round = 0; round < 3; round++) {
      const failing = StrandsShellSandbox.open({ env: { FAULT_OPEN: 'reject' } }, { host })
      expect(await endOf(failing)).toMatchObject({ code: 'INVALID_CONFIG' })
    }
    await StrandsShellSandbox.open({}, { host })
    expect([workers.length, host.stats().leased]).toEqual([1, 2])
    expect(await stays.execute('echo a')).toEqual(printed('a\n'))
  })
})
