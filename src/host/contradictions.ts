import { showValue } from '../sandbox/show-value.ts'
import type { PlaceOptions } from './derive-places.ts'

/** An option that others rule out: what came, what was expected, and what to do. */
export interface Contradiction {
  readonly field: 'maxSandboxes' | 'sandboxesPerWorker'
  readonly message: string
}

/** Finds options that cannot hold together. They concern cells: hosts of threads may have any. */
export function findContradiction(options: PlaceOptions): Contradiction | undefined {
  if (options.isolation !== 'process') return undefined
  const { maxSandboxes, maxCells, sandboxesPerCell, sandboxesPerWorker } = options
  if (sandboxesPerCell === undefined) return undefined
  if (sandboxesPerWorker !== undefined && sandboxesPerWorker > sandboxesPerCell) {
    return {
      field: 'sandboxesPerWorker',
      message:
        `expected at most ${sandboxesPerCell}, which a cell holds (sandboxesPerCell), got ${showValue(sandboxesPerWorker)}. ` +
        'Raise sandboxesPerCell, or leave it out: it is derived.',
    }
  }
  if (maxSandboxes === undefined || maxCells === undefined || maxSandboxes <= maxCells * sandboxesPerCell)
    return undefined
  return {
    field: 'maxSandboxes',
    message:
      `expected at most ${maxCells * sandboxesPerCell}, which maxCells (${maxCells}) x sandboxesPerCell (${sandboxesPerCell}) hold, ` +
      `got ${showValue(maxSandboxes)}. Raise maxCells or sandboxesPerCell, or leave one of the three out: it is derived.`,
  }
}
