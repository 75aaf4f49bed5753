import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { closed, endOf, saturated, until, within } from '../../faults/helpers.ts'
import { cellPids, isThere } from './cell-pids.ts'
import { cellHost, lostBy, ofCell, told } from './helpers.ts'

describe('more sandboxes than the cells have places for', () => {
  it('wait, first come, first served', async () => {
    const host = cellHost({ maxCells: 2, sandboxesPerCell: 2 })
    const first = await Promise.all([1, 2, 3, 4].map(() => host.open()))
    const order: number[] = []
    const waiting = [1, 2, 3].map(async (number) => {
      const sandbox = await host.open()
      order.push(number)
      return sandbox
    })
    await until(() => host.stats().queued === 3)
    expect(host.stats()).toMatchObject({ cells: 2, leased: 4, open: 7, retired: 0 })
    for (const sandbox of first) {
      const before = order.length
      await sandbox.close()
      if (before < 3) await until(() => order.length > before)
    }
    expect(order).toEqual([1, 2, 3])
    const outputs = (await Promise.all(waiting)).map((sandbox) => told(sandbox.execute('echo in')))
    expect(await Promise.all(outputs)).toEqual(['in\n', 'in\n', 'in\n'])
    expect(cellPids().length).toBe(2)
  })

  it('leave the queue when they are aborted, and reject when no place is free in time', async () => {
    const host = cellHost({ maxCells: 1, sandboxesPerCell: 1, openTimeout: 5 })
    const only = await host.open()
    const abort = new AbortController()
    const aborted = endOf(host.open({}, { signal: abort.signal }))
    const late = endOf(host.open())
    await until(() => host.stats().queued === 2)
    abort.abort()
    expect(await aborted).toMatchObject({ code: 'ABORTED' })
    expect(host.stats().queued).toBe(1)
    expect(await within(60, late)).toEqual(saturated)
    expect(host.stats().queued).toBe(0)
    await only.close()
    expect(await told((await host.open()).execute('echo a'))).toBe('a\n')
  })
})

describe('sandboxes with different allowlists', () => {
  it('have a place each on a host without options, as long as maxSandboxes leaves one', async () => {
    const host = cellHost({ maxCells: undefined, sandboxesPerCell: undefined })
    const most = availableParallelism() + 1
    const sandboxes = await Promise.all(Array.from({ length: most }, (_, name) => host.open(ofCell(name))))
    expect(host.stats().cells).toBe(most)
    const others = await Promise.all([host.open(ofCell(0)), host.open(ofCell(0)), host.open(ofCell(1))])
    expect(host.stats().cells).toBe(most)
    await Promise.all([...sandboxes, ...others].map((sandbox) => sandbox.close()))
    await until(() => host.stats().cells === availableParallelism())
    expect(await told((await host.open(ofCell('a'))).execute('echo a'))).toBe('a\n')
    await until(() => host.stats().cells === availableParallelism())
  })

  it('that wait for a cell in vain are told that maxCells is the bound', async () => {
    const host = cellHost({ maxCells: 1, sandboxesPerCell: 3, openTimeout: 3 })
    const sandbox = await host.open(ofCell('a'))
    const error = await host.open(ofCell('b')).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'HOST_SATURATED',
      message: expect.stringMatching(
        / \(maxCells: 1\), and none has the allowedUrls and binds of this sandbox/,
      ),
      saturation: { reached: ['maxCells'], open: 1, maxSandboxes: 3, cells: 1, maxCells: 1, queued: 1 },
    })
    await sandbox.close()
  })

  it('do not share a cell: one waits until another cell may be started', async () => {
    const host = cellHost({ maxCells: 1, sandboxesPerCell: 3 })
    const [a, b] = [await host.open(ofCell('a')), await host.open(ofCell('a'))]
    const pids = cellPids()
    let opened = false
    const other = host.open(ofCell('b')).finally(() => {
      opened = true
    })
    await a.close()
    await until(() => host.stats().queued === 1 && host.stats().leased === 1)
    expect([opened, cellPids()]).toEqual([false, pids])
    await b.close()
    expect(await told((await within(60, other)).execute('echo alone'))).toBe('alone\n')
    await until(() => !pids.some(isThere))
  })

  it('can be aborted while they wait for a cell without a sandbox, and are closed with their host', async () => {
    const host = cellHost({ maxCells: 1, sandboxesPerCell: 3 })
    const sandbox = await host.open(ofCell('a'))
    const abort = new AbortController()
    const waiting = endOf(host.open(ofCell('b'), { signal: abort.signal }))
    const other = endOf(host.open(ofCell('c')))
    await until(() => host.stats().queued === 2)
    abort.abort()
    expect(await within(60, waiting)).toMatchObject({ code: 'ABORTED' })
    await within(60, host.close())
    expect(await within(60, other)).toEqual(closed)
    expect(await endOf(sandbox.execute('echo a'))).toMatchObject({ code: 'WORKER_LOST' })
  })
})

describe('a host of cells that', () => {
  it('drains lets pending calls end, and closes the rest after the grace', async () => {
    const host = cellHost({ sandboxesPerCell: 3 })
    const [quick, slow, idle] = [await host.open(), await host.open(), await host.open()]
    const calls = [endOf(quick.execute('sleep 0.3; echo done')), endOf(slow.execute('sleep 20'))]
    await until(() => host.stats().running === 2)
    const pids = cellPids()
    await within(60, host.drain({ grace: 3 }))
    expect(await Promise.all(calls)).toEqual([expect.objectContaining({ stdout: 'done\n' }), closed])
    expect(await endOf(idle.execute('echo a'))).toEqual(closed)
    // The process that holds a jail has ended; the kernel ends what is in the jail right behind it.
    await until(() => !pids.some(isThere))
  })

  it('is closed ends its cells, whatever they run', async () => {
    const host = cellHost()
    const sandbox = await host.open()
    const pending = told(sandbox.execute('cat /dev/zero >/dev/null'))
    await until(() => host.stats().running === 1)
    const pids = cellPids()
    await within(60, host.close())
    // The process that holds a jail has ended; the kernel ends what is in the jail right behind it.
    await until(() => !pids.some(isThere))
    expect(await within(60, pending)).toEqual(lostBy('HOST_CLOSED', /^The host was closed\.$/))
    expect(host.stats()).toMatchObject({ cells: 0, workers: 0, leased: 0, retired: 0 })
  })
})
