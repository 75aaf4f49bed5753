import { showValue } from '../sandbox/show-value.ts'
import { type PlaceOptions, perCell } from './derive-places.ts'
import type { CellsFor, ResolvedQuotas } from './tenants/options.ts'

/** The options that may contradict each other. */
export interface Contradictory extends PlaceOptions {
  readonly quotas?: ResolvedQuotas | undefined
  readonly cellsFor: CellsFor
}

/** An option that others rule out: what came, what was expected, and what to do. */
export interface Contradiction {
  readonly field: string
  readonly message: string
}

/** Finds options that cannot hold together. */
export function findContradiction(options: Contradictory): Contradiction | undefined {
  return options.isolation === 'process' ? (ofPlaces(options) ?? ofCellsFor(options)) : outsideCells(options)
}

/** They concern cells: hosts of threads may have any. */
function ofPlaces(options: PlaceOptions): Contradiction | undefined {
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

/** Where no cell is left for a second tenant. */
function ofCellsFor(options: Contradictory): Contradiction | undefined {
  const { cellsFor, maxCells, quotas } = options
  if (cellsFor === 'policy' || maxCells === undefined) return undefined
  if (maxCells === 1) {
    return {
      field: 'maxCells',
      message: `expected at least 2 where cellsFor is { label }, got ${showValue(maxCells)}: sandboxes with another ${cellsFor.label} would wait until the one cell is empty. Raise maxCells, or leave it out.`,
    }
  }
  if (quotas?.label !== cellsFor.label) return undefined
  const rest = (maxCells - 1) * perCell(options)
  const tooMany = [quotas.everyone, ...quotas.tenants.values()].find(
    ({ maxSandboxes = 0 }) => maxSandboxes > rest,
  )
  if (tooMany === undefined) return undefined
  return {
    field: 'quotas.maxSandboxes',
    message:
      `expected at most ${rest} for a tenant, which maxCells (${maxCells}) without one hold, got ${showValue(tooMany.maxSandboxes)}: ` +
      'one tenant could take all cells, which by cellsFor it shares with no other. Lower the quota, or raise maxCells or sandboxesPerCell.',
  }
}

function outsideCells({ cellsFor, isolation }: Contradictory): Contradiction | undefined {
  if (cellsFor === 'policy') return undefined
  return {
    field: 'cellsFor',
    message: `expected 'policy' with isolation '${isolation}', got { label }: only sandboxes in cells can have cells of their own. Use isolation 'process'.`,
  }
}
