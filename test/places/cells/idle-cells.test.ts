import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { IdleCells } from '../../../src/places/cells/idle-cells.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A cell that is ready and has no lease. */
class TestCell {
  leases = 0
  isReady = true
  readonly ends: string[] = []

  kill({ code, message }: { readonly code: string; readonly message: string }): void {
    this.isReady = false
    this.ends.push(`${code}: ${message}`)
  }
}

const ended = ['WORKER_EXITED: The cell had no sandbox.']

function idleCells(count: number, kept = 0) {
  const cells = Array.from({ length: count }, () => new TestCell())
  const idle = new IdleCells({ cells: () => cells, timeout: 30, kept })
  return { cells, idle, ends: () => cells.map(({ ends }) => ends) }
}

describe('an idle cell', () => {
  it('is ended once, after the timeout', () => {
    const { idle, ends } = idleCells(1)
    idle.watch()
    vi.advanceTimersByTime(29_999)
    expect(ends()).toEqual([[]])
    vi.advanceTimersByTime(1)
    expect(ends()).toEqual([ended])
    idle.watch()
    vi.advanceTimersByTime(60_000)
    expect(ends()).toEqual([ended])
  })

  it('is ended after the timeout however often it is watched', () => {
    const { idle, ends } = idleCells(1)
    for (let seconds = 0; seconds < 30; seconds++) {
      idle.watch()
      vi.advanceTimersByTime(1000)
    }
    expect(ends()).toEqual([ended])
  })

  it('is not ended when it is used in time, and its time counts anew afterwards', () => {
    const { cells, idle, ends } = idleCells(1)
    for (let uses = 0; uses < 5; uses++) {
      idle.watch()
      vi.advanceTimersByTime(29_000)
      for (const cell of cells) idle.forget(cell)
    }
    idle.watch()
    vi.advanceTimersByTime(29_999)
    expect(ends()).toEqual([[]])
    vi.advanceTimersByTime(1)
    expect(ends()).toEqual([ended])
  })

  it('is not ended where it has a lease when the time is over', () => {
    const { cells, idle, ends } = idleCells(1)
    idle.watch()
    for (const cell of cells) cell.leases = 1
    vi.advanceTimersByTime(60_000)
    expect(ends()).toEqual([[]])
  })

  it('that has ended leaves no timer', () => {
    const { cells, idle } = idleCells(2)
    idle.watch()
    for (const cell of cells) idle.forget(cell)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('idle cells', () => {
  it('are those that are ready and have no lease', () => {
    const { cells, idle } = idleCells(3)
    const [starting, leased, rest] = cells
    Object.assign(starting ?? {}, { isReady: false })
    Object.assign(leased ?? {}, { leases: 1 })
    expect(idle.list()).toEqual([rest])
  })

  it('stay, as many as are kept, and are looked at again after each timeout', () => {
    const { cells, idle, ends } = idleCells(3, 2)
    idle.watch()
    vi.advanceTimersByTime(60_000)
    expect(ends()).toEqual([ended, [], []])
    cells.push(new TestCell())
    vi.advanceTimersByTime(30_000)
    expect(ends()).toEqual([ended, ended, [], []])
  })

  it('are trimmed to so many, the oldest first', () => {
    const { idle, ends } = idleCells(3)
    idle.trim(3)
    expect(ends()).toEqual([[], [], []])
    idle.trim(1)
    expect(ends()).toEqual([ended, ended, []])
    idle.trim(0)
    expect(ends()).toEqual([ended, ended, ended])
  })
})
