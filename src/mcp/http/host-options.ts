import { availableParallelism } from 'node:os'
import type { ShellHostOptions } from '../../shell-host/options.ts'

/** Sandboxes that share a cell: a host's own default. */
const sandboxesPerCell = 8

/**
 * Options of a host that has a place for each of so many sessions. A call that waits for one in vain says so before its
 * client stops waiting, which most do after a minute.
 */
export function hostOptionsFor(maxSessions: number): ShellHostOptions {
  return {
    sandboxesPerCell,
    maxCells: Math.max(availableParallelism(), Math.ceil(maxSessions / sandboxesPerCell)),
    openTimeout: 20,
  }
}
