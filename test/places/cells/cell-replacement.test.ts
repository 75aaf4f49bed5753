import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CellReplacement } from '../../../src/places/cells/cell-replacement.ts'
import { durationOf, within } from '../../faults/helpers.ts'
import { cellPids } from './cell-pids.ts'
import { cellEntry, cellHost, lostBy, told } from './helpers.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('a cell is replaced', () => {
  /** Has a cell die that has lived for so many seconds; says how many milliseconds the next one waits. */
  function die(replacement: CellReplacement, lived: number): number {
    const started = performance.now()
    vi.advanceTimersByTime(lived * 1000)
    replacement.died(started)
    return replacement.wait
  }

  it('at once after one death, and after a longer wait with each further death in a row, up to the longest wait', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const replacement = new CellReplacement(0.5)
    expect(replacement.wait).toBe(0)
    expect([1, 2, 3, 4, 5, 6].map(() => die(replacement, 1))).toEqual([0, 100, 200, 400, 500, 500])
    vi.advanceTimersByTime(300)
    expect(replacement.wait).toBe(200)
    vi.advanceTimersByTime(300)
    expect(replacement.wait).toBe(0)
  })

  it('after waits that grow on beyond ten seconds', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const replacement = new CellReplacement(60)
    const waits: number[] = []
    for (let death = 0; death < 12; death++) {
      waits.push(die(replacement, 0.3))
      vi.advanceTimersByTime(replacement.wait)
    }
    expect(waits.slice(6)).toEqual([3200, 6400, 12_800, 25_600, 51_200, 60_000])
  })

  it('at once after the death of a cell that had lived for ten seconds', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const replacement = new CellReplacement(5)
    expect([1, 1, 1, 10, 10, 1, 1].map((lived) => die(replacement, lived))).toEqual([
      0, 100, 200, 0, 0, 0, 100,
    ])
  })
})

describe('a host whose cells end as they start', () => {
  function sickHost() {
    const directory = mkdtempSync(join(tmpdir(), 'sick-cell-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const healthy = join(directory, 'healthy')
    const host = cellHost({
      // In a jail it would not see the file.
      hardening: 'none',
      cellUrl: cellEntry(`
        import { existsSync } from 'node:fs'
        if (!existsSync(${JSON.stringify(healthy)})) { console.error('no cell today'); process.exit(9) }`),
    })
    return { host, heal: () => writeFileSync(healthy, '') }
  }
  const loss = lostBy('CELL_EXITED', /^The cell exited with code 9\.$/)

  it('rejects each opening, starts cells at growing intervals, and recovers', async () => {
    const { host, heal } = sickHost()
    const openings = async () => {
      const spent: number[] = []
      while (spent.length < 5) spent.push(await durationOf(() => host.open()))
      return spent
    }
    expect(await told(host.open())).toEqual(loss)
    const [, , , , last] = await within(60, openings())
    expect(last).toBeGreaterThan(700)
    heal()
    const sandbox = await within(60, host.open())
    expect(await told(sandbox.execute('echo recovered'))).toBe('recovered\n')
    expect(cellPids().length).toBe(1)
  })

  it('can be closed while it waits to start one: the openings that wait reject', async () => {
    const { host } = sickHost()
    for (let opened = 0; opened < 4; opened++) await host.open().catch(() => undefined)
    const waiting = [told(host.open()), told(host.open())]
    await new Promise((resolve) => setImmediate(resolve))
    await within(60, host.close())
    expect(await Promise.all(waiting)).toEqual(
      waiting.map(() => ({ name: 'SandboxClosedError', code: 'CLOSED' })),
    )
  })
})
