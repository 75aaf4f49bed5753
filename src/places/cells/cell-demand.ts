import type { CellPolicy } from './cell-network.ts'
import type { CellFiles } from './jail/cell-jail.ts'

/** What a sandbox asks of its cell: those that ask for the same may share one. */
export interface CellDemand {
  /** Those of different owners never share a cell. */
  readonly owner: string
  readonly policy: CellPolicy
  /** What of the host the cell shows; undefined where it is in no jail, and shows all. */
  readonly files: CellFiles | undefined
}
