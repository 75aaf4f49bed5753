import { availableParallelism, totalmem } from 'node:os'
import type { Isolation } from '../contract/isolation.ts'

/** What the defaults of a host depend on. */
export interface Machine {
  /** Bytes that this process may have: the machine's, or its container's. */
  readonly memory: number
  readonly cores: number
}

export const thisMachine: Machine = {
  memory: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
  cores: availableParallelism(),
}

const mebibyte = 2 ** 20

/** Most places of a host whose options give no bound, whatever the memory. */
const mostPlaces = 1024

/** Bytes for a worker that serves one sandbox, under `'process'` with a cell of its own: docs/hosting.md has the figures. */
const bytesOfWorker: Readonly<Record<Isolation, number>> = {
  process: 96 * mebibyte,
  worker: 32 * mebibyte,
  shared: 32 * mebibyte,
}

/** Bytes for a sandbox that shares its worker. */
const bytesOfSharer = mebibyte

/** How many sandboxes the memory has room for, whatever they are. */
export function placesInMemory(
  isolation: Isolation,
  sandboxesPerWorker: number,
  { memory }: Machine,
): number {
  const workers = Math.max(1, Math.floor(memory / bytesOfWorker[isolation]))
  const sharers = Math.max(1, Math.floor(memory / bytesOfSharer))
  return Math.min(mostPlaces, workers * sandboxesPerWorker, sharers)
}

/** Resident bytes of a cell without a sandbox, and of a sandbox with a worker of its own in it. */
const bytesOfCell = 64 * mebibyte
const bytesInCell = 32 * mebibyte
const mostBesideEachOther = 8

/** How many sandboxes with workers of their own share a cell, so that they stay below its limit of memory. */
export function placesInCell(maxCellMemory: number): number {
  const fitting = Math.floor((maxCellMemory - bytesOfCell) / bytesInCell)
  return Math.min(mostBesideEachOther, Math.max(1, fitting))
}
