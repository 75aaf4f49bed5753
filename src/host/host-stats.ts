import type { CellHardening } from '../places/cells/jail/found-hardening.ts'
import type { PlaceFigures } from '../places/places.ts'
import type { Totals } from './figures.ts'
import type { MachineLoad } from './machine-load.ts'
import type { TenantFigures } from './tenants/tenants.ts'

/** How many sandboxes and worker threads a host has, what they do, and what they did. Durations in milliseconds. */
export interface HostStats extends PlaceFigures, Totals, MachineLoad {
  /** Sandboxes that were used and not closed. */
  readonly open: number
  /** Sandboxes of those whose session is stored, and has no place. */
  readonly hibernated: number
  /** Sandboxes that wait for a place. */
  readonly queued: number
  /** Sandboxes that may run commands now. */
  readonly running: number
  /** Sandboxes whose commands wait for others. */
  readonly waiting: number
  /** The figures of each tenant that has sandboxes; empty on a host without `quotas`. */
  readonly tenants: readonly TenantFigures[]
  /** Whether cells are in jails; undefined before the first cell is started. */
  readonly hardening: CellHardening | undefined
}
