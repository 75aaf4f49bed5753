import type { Isolation } from '../contract/isolation.ts'
import { type Machine, placesInCell, placesInMemory } from './places-of-machine.ts'

/** The options that bound how many sandboxes a host has, and those that they depend on. */
export interface PlaceOptions {
  readonly isolation: Isolation
  readonly maxSandboxes?: number | undefined
  readonly maxCells?: number | undefined
  readonly sandboxesPerCell?: number | undefined
  readonly sandboxesPerWorker?: number | undefined
  readonly maxCellMemory: number
}

/** How many sandboxes a host has, and where. */
export interface PlaceBounds {
  readonly maxSandboxes: number
  readonly maxCells: number
  readonly sandboxesPerCell: number
  /** While there are fewer cells, a sandbox gets a cell of its own. */
  readonly cellsBeforeSharing: number
}

/** How many sandboxes share a worker where the host does not say. */
export const sandboxesPerWorkerDefaults: Readonly<Record<Isolation, number>> = {
  worker: 1,
  shared: 256,
  process: 1,
}

/** Derives the bounds that the options leave out from those that they give, and from the machine. */
export function derivePlaces(options: PlaceOptions, machine: Machine): PlaceBounds {
  const sandboxesPerCell = perCell(options)
  const maxSandboxes = options.maxSandboxes ?? places(options, sandboxesPerCell, machine)
  const maxCells = options.maxCells ?? cells(options.isolation, maxSandboxes, sandboxesPerCell, machine)
  const cellsBeforeSharing = options.maxCells ?? Math.min(machine.cores, maxCells)
  return { maxSandboxes, maxCells, sandboxesPerCell, cellsBeforeSharing }
}

/** How many sandboxes a cell holds: what is given, or else enough for a worker, and for the given sandboxes in the given cells. */
export function perCell({
  isolation,
  maxSandboxes,
  maxCells,
  sandboxesPerCell,
  sandboxesPerWorker = 1,
  maxCellMemory,
}: PlaceOptions): number {
  if (sandboxesPerCell !== undefined) return sandboxesPerCell
  const isBounded = isolation === 'process' && maxSandboxes !== undefined && maxCells !== undefined
  const share = isBounded ? Math.ceil(maxSandboxes / maxCells) : 1
  return Math.max(placesInCell(maxCellMemory), sandboxesPerWorker, share)
}

/** As many as the given cells hold, or else as the memory has room for. */
function places(options: PlaceOptions, sandboxesPerCell: number, machine: Machine): number {
  const { isolation, maxCells, sandboxesPerWorker } = options
  const perWorker = isolation === 'worker' ? 1 : (sandboxesPerWorker ?? sandboxesPerWorkerDefaults[isolation])
  const inMemory = placesInMemory(isolation, perWorker, machine)
  if (isolation !== 'process') return inMemory
  if (maxCells !== undefined) return Math.min(Number.MAX_SAFE_INTEGER, maxCells * sandboxesPerCell)
  // Who says how many share a cell has a cell for each core filled, at least.
  const filled = Math.min(Number.MAX_SAFE_INTEGER, machine.cores * sandboxesPerCell)
  return options.sandboxesPerCell === undefined ? inMemory : Math.max(inMemory, filled)
}

/** A cell for each place, as far as the memory goes: sandboxes with different `allowedUrls` never share one. */
function cells(
  isolation: Isolation,
  maxSandboxes: number,
  sandboxesPerCell: number,
  machine: Machine,
): number {
  const alone = Math.min(maxSandboxes, placesInMemory('process', 1, machine))
  return isolation === 'process' ? Math.max(alone, Math.ceil(maxSandboxes / sandboxesPerCell)) : alone
}
