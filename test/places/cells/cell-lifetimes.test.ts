import { afterEach, expect, it, vi } from 'vitest'
import { durationOf, until } from '../../faults/helpers.ts'
import { cellPids, isThere } from './cell-pids.ts'
import { cellHost, ofCell, told } from './helpers.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Timers fire only where the test moves the clock on; promises and other processes are as always. */
function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

it('a cell without a sandbox ends after idleWorkerTimeout, and the next sandbox starts one', async () => {
  fakeTimers()
  const host = cellHost({ idleWorkerTimeout: 30 })
  const sandbox = await host.open()
  const [pid = 0] = cellPids()
  vi.advanceTimersByTime(100_000)
  expect(await told(sandbox.execute('echo a'))).toBe('a\n')
  await sandbox.close()
  await until(() => host.stats().leased === 0)
  vi.advanceTimersByTime(29_000)
  expect([isThere(pid), host.stats().cells]).toEqual([true, 1])
  vi.advanceTimersByTime(1000)
  await until(() => !isThere(pid) && host.stats().cells === 0)
  expect(host.stats()).toMatchObject({ cells: 0, leased: 0, lost: 0 })
  expect(await told((await host.open()).execute('echo a'))).toBe('a\n')
})

it('a cell that is used again in time does not end', async () => {
  fakeTimers()
  const host = cellHost({ idleWorkerTimeout: 30 })
  const pids = new Set<number>()
  for (let opened = 0; opened < 4; opened++) {
    const sandbox = await host.open()
    for (const pid of cellPids()) pids.add(pid)
    await sandbox.close()
    await until(() => host.stats().leased === 0)
    vi.advanceTimersByTime(20_000)
  }
  expect([pids.size, host.stats().cells]).toEqual([1, 1])
})

it('warm keeps a cell ready before anybody asks, for any allowlist, and beyond idleWorkerTimeout', async () => {
  fakeTimers()
  const host = cellHost({ warm: 1, idleWorkerTimeout: 30 })
  await until(() => host.stats().cells === 1 && host.stats().idle === 1)
  const pids = cellPids()
  vi.advanceTimersByTime(100_000)
  expect(cellPids()).toEqual(pids)
  await host.open(ofCell('any'))
  expect([cellPids().includes(pids[0] ?? 0), host.stats().leased]).toEqual([true, 1])
})

it('a warm cell that dies is replaced each time', async () => {
  const host = cellHost({ warm: 1 })
  for (let death = 0; death < 3; death++) {
    await until(() => host.stats().idle === 1)
    const [pid = 0] = cellPids()
    process.kill(pid, 'SIGKILL')
    await until(() => !isThere(pid) && host.stats().idle === 0)
  }
  await until(() => host.stats().idle === 1)
  expect(cellPids().length).toBe(1)
})

it('keeping places warm uses no processor time while no cell can be started', async () => {
  const host = cellHost({ warm: 2, maxCells: 1 })
  const sandbox = await host.open(ofCell('a'))
  for (let death = 0; death < 5; death++) {
    for (const pid of cellPids()) process.kill(pid, 'SIGKILL')
    await until(() => sandbox.status === 'lost')
    await sandbox.execute('true').catch(() => undefined)
    const before = process.cpuUsage()
    const milliseconds = await durationOf(() => sandbox.execute('true'))
    const { user, system } = process.cpuUsage(before)
    // On a loaded machine all takes longer, what little this process does as well.
    expect((user + system) / 1000).toBeLessThan(Math.max(150, milliseconds / 2))
  }
})

it('stats() counts the cells, workers and leases that there are', async () => {
  const host = cellHost({ maxCells: 2, sandboxesPerCell: 3 })
  expect(host.stats()).toMatchObject({ cells: 0, workers: 0, leased: 0, idle: 0, retired: 0 })
  const sandboxes = [await host.open(ofCell(0)), await host.open(ofCell(1)), await host.open(ofCell(0))]
  expect(host.stats()).toMatchObject({ cells: 2, leased: 3, open: 3, retired: 0 })
  // A cell that has had two sandboxes has a worker to spare.
  await until(() => host.stats().workers === 4 && host.stats().idle === 1)
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
  expect(host.stats()).toMatchObject({ cells: 2, leased: 0, open: 0, retired: 0 })
  await host.close()
  expect(host.stats()).toMatchObject({ cells: 0, workers: 0, leased: 0, idle: 0, retired: 0 })
})
