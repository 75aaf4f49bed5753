import { describe, expect, it } from 'vitest'
import { yieldingCells } from '../../../src/places/cells/fair-cells.ts'

/** Cells such as `a3`: of the owner `a`, with three leases. Their ids count from 1. */
const cellsOf = (...cells: readonly string[]) =>
  cells.map((cell, index) => ({ id: index + 1, owner: cell.slice(0, 1), leases: Number(cell.slice(1)) }))

const yielding = (cells: readonly string[], waiting: string) => [...yieldingCells(cellsOf(...cells), waiting)]

describe('a cell that is to become empty', () => {
  it('is the one with the fewest leases of the owner with the most cells', () => {
    expect(yielding(['a4', 'b1', 'a2', 'a3'], 'c')).toEqual([3])
  })

  it('is given up for each owner that waits', () => {
    expect(yielding(['a4', 'a2', 'a3', 'a1'], 'bc')).toEqual([4, 2])
  })

  it('is none where its owner would then have fewer than the one who waits', () => {
    expect(yielding(['a1', 'b1'], 'c')).toEqual([])
    expect(yielding(['a1', 'a1', 'b1'], 'b')).toEqual([])
    expect(yielding(['a1', 'a1', 'a1', 'b1'], 'b')).toEqual([1])
  })

  it('is none where its own owner waits, or nobody', () => {
    expect(yielding(['a1', 'a1', 'a1'], 'a')).toEqual([])
    expect(yielding(['a1', 'a1', 'a1'], '')).toEqual([])
  })
})
