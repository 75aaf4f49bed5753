import { describe, expect, it, test } from 'vitest'
import { findContradiction } from '../../src/host/contradictions.ts'
import { derivePlaces, type PlaceOptions } from '../../src/host/derive-places.ts'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'
import { SandboxConfigError } from '../../src/sandbox/errors.ts'

const mebibyte = 2 ** 20

/** `places`, `cells`, `sandboxes per cell`, `cells before sharing` on a machine of so much memory with two cores. */
function derived(options: Partial<PlaceOptions>, mebibytes = 8192, cores = 2): readonly number[] {
  const memory = mebibytes * mebibyte
  const { maxSandboxes, maxCells, sandboxesPerCell, cellsBeforeSharing } = derivePlaces(
    { isolation: 'process', maxCellMemory: memory / 4, ...options },
    { memory, cores },
  )
  return [maxSandboxes, maxCells, sandboxesPerCell, cellsBeforeSharing]
}

describe('the places of a host of cells', () => {
  test.each([
    [256, [2, 2, 1, 2]],
    [512, [5, 5, 2, 2]],
    [1024, [10, 10, 6, 2]],
    [2048, [21, 21, 8, 2]],
    [8192, [85, 85, 8, 2]],
    [2 ** 20, [1024, 1024, 8, 2]],
  ])('follow the memory where nothing is given: %i MiB', (mebibytes, expected) => {
    expect(derived({}, mebibytes)).toEqual(expected)
  })

  it('are as many as maxSandboxes says, whatever the memory', () => {
    expect(derived({ maxSandboxes: 3 })).toEqual([3, 3, 8, 2])
    expect(derived({ maxSandboxes: 1 })).toEqual([1, 1, 8, 1])
    expect(derived({ maxSandboxes: 2000 }, 512)).toEqual([2000, 1000, 2, 2])
  })

  it('are those of the given cells, which are started before sandboxes share', () => {
    expect(derived({ maxCells: 2 })).toEqual([16, 2, 8, 2])
    expect(derived({ maxCells: 100, sandboxesPerCell: 25 })).toEqual([2500, 100, 25, 100])
    expect(derived({ maxCells: 1, sandboxesPerWorker: 128 })).toEqual([128, 1, 128, 1])
  })

  it('of given cells are enough for maxSandboxes', () => {
    expect(derived({ maxCells: 3, maxSandboxes: 100 })).toEqual([100, 3, 34, 3])
    expect(derived({ maxCells: 3, maxSandboxes: 4 })).toEqual([4, 3, 8, 3])
  })

  it('fill a cell for each core, at least, where it is given how many share one', () => {
    expect(derived({ sandboxesPerCell: 1 }, 8192, 4)).toEqual([85, 85, 1, 4])
    expect(derived({ sandboxesPerCell: 100 }, 8192, 4)).toEqual([400, 85, 100, 4])
    expect(derived({ sandboxesPerCell: 1, maxSandboxes: 5 })).toEqual([5, 5, 1, 2])
  })

  it('are more where sandboxes share workers, and a cell has room for a worker', () => {
    expect(derived({ sandboxesPerWorker: 128 })).toEqual([1024, 85, 128, 2])
    expect(derived({ sandboxesPerWorker: 2 })).toEqual([170, 85, 8, 2])
    expect(derived({ sandboxesPerWorker: 128 }, 512)).toEqual([512, 5, 128, 2])
  })

  it('are finite numbers, however large the options are', () => {
    const most = Number.MAX_SAFE_INTEGER
    for (const options of [{ maxCells: most, sandboxesPerCell: most }, { sandboxesPerCell: most }]) {
      expect(derived(options)[0]).toBe(most)
    }
  })
})

test.each([
  ['worker', 512, 16],
  ['worker', 8192, 256],
  ['shared', 512, 512],
  ['shared', 8192, 1024],
] as const)("a host of '%s' with %i MiB has %i places", (isolation, mebibytes, places) => {
  expect(derived({ isolation }, mebibytes)[0]).toBe(places)
  expect(derived({ isolation, maxCells: 1, sandboxesPerCell: 1, maxSandboxes: 7 }, mebibytes)[0]).toBe(7)
})

describe('options that contradict each other', () => {
  const refusalOf = (options: object): unknown => {
    try {
      return resolveHostOptions(options)
    } catch (error) {
      return error instanceof SandboxConfigError ? [error.code, error.field, error.message] : error
    }
  }

  it('are refused, and the error says which, what came and what to do', () => {
    expect(refusalOf({ maxSandboxes: 17, maxCells: 2, sandboxesPerCell: 8 })).toEqual([
      'INVALID_CONFIG',
      'maxSandboxes',
      'maxSandboxes: expected at most 16, which maxCells (2) x sandboxesPerCell (8) hold, got 17 (a number). Raise maxCells or sandboxesPerCell, or leave one of the three out: it is derived.',
    ])
    expect(refusalOf({ sandboxesPerWorker: 9, sandboxesPerCell: 8 })).toEqual([
      'INVALID_CONFIG',
      'sandboxesPerWorker',
      'sandboxesPerWorker: expected at most 8, which a cell holds (sandboxesPerCell), got 9 (a number). Raise sandboxesPerCell, or leave it out: it is derived.',
    ])
  })

  const given = { maxSandboxes: 17, maxCells: 2, sandboxesPerCell: 8, maxCellMemory: 2 ** 30 }

  it.each([
    ['that fit', { ...given, isolation: 'process', maxSandboxes: 16 }],
    [
      'of a host of threads, whose cells are for sandboxes that ask for one',
      { ...given, isolation: 'worker' },
    ],
    ['of which one is left out', { ...given, isolation: 'process', maxCells: undefined }],
  ] as const)('and those %s are taken', (_, options) => {
    expect(findContradiction({ ...options, cellsFor: 'policy' })).toBeUndefined()
  })
})
