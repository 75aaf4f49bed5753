import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { durationOf, until } from '../../faults/helpers.ts'
import { cellHost, cellPids, isThere, ofCell, told } from './helpers.ts'

it('a cell without a sandbox ends after idleWorkerTimeout, and the next sandbox starts one', async () => {
  const host = cellHost({ idleWorkerTimeout: 0.3 })
  const sandbox = await host.open()
  const [pid = 0] = cellPids()
  await sleep(500)
  expect(isThere(pid)).toBe(true)
  await sandbox.close()
  expect(isThere(pid)).toBe(true)
  await until(() => !isThere(pid))
  expect(host.stats()).toMatchObject({ cells: 0, leased: 0, lost: 0 })
  expect(await told((await host.open()).execute('echo a'))).toBe('a\n')
})

it('a cell that is used again in time does not end', async () => {
  const host = cellHost({ idleWorkerTimeout: 0.4 })
  const pids = new Set<number>()
  for (let opened = 0; opened < 6; opened++) {
    const sandbox = await host.open()
    for (const pid of cellPids()) pids.add(pid)
    await sandbox.close()
    await sleep(100)
  }
  expect(pids.size).toBe(1)
})

it('warm keeps a cell ready before anybody asks, for any allowlist, and beyond idleWorkerTimeout', async () => {
  const host = cellHost({ warm: 1, idleWorkerTimeout: 0.2 })
  await until(() => host.stats().cells === 1 && host.stats().idle === 1)
  const pids = cellPids()
  await sleep(600)
  expect(cellPids()).toEqual(pids)
  const spent = await durationOf(() => host.open(ofCell('any')))
  expect([cellPids().includes(pids[0] ?? 0), host.stats().leased]).toEqual([true, 1])
  expect(spent).toBeLessThan(1000)
})

it('a warm cell that dies is replaced, time and again', async () => {
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

it('keeping places warm costs no time while no cell can be started', async () => {
  const host = cellHost({ warm: 2, maxCells: 1 })
  const sandbox = await host.open(ofCell('a'))
  for (let death = 0; death < 5; death++) {
    for (const pid of cellPids()) process.kill(pid, 'SIGKILL')
    await until(() => sandbox.status === 'lost')
    await sandbox.execute('true').catch(() => undefined)
    const start = process.cpuUsage()
    await sandbox.execute('true')
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(150)
  }
})

it('what stats tells of cells is what there is', async () => {
  const host = cellHost({ maxCells: 2, sandboxesPerCell: 2 })
  expect(host.stats()).toMatchObject({ cells: 0, workers: 0, leased: 0, idle: 0, retired: 0 })
  const sandboxes = [await host.open(ofCell(0)), await host.open(ofCell(1)), await host.open(ofCell(0))]
  expect(host.stats()).toMatchObject({ cells: 2, leased: 3, open: 3, retired: 0 })
  // Each cell has a worker to spare, where it has a place for it.
  await until(() => host.stats().workers === 4 && host.stats().idle === 1)
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
  expect(host.stats()).toMatchObject({ cells: 2, leased: 0, open: 0, retired: 0 })
  await host.close()
  expect(host.stats()).toMatchObject({ cells: 0, workers: 0, leased: 0, idle: 0, retired: 0 })
})
