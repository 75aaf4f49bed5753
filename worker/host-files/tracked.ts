import type { Ledger } from './ledger.ts'
import type { HostTree } from './tree.ts'

/** Where a bind is inside a sandbox. */
interface TrackedPlace {
  /** Absolute. */
  readonly root: string
  /** The absolute path of what is at `rel` below the root; `''` is the root. */
  path(rel: string): string
  /** The inverse of `path`; `undefined` for a path outside. */
  rel(path: string): string | undefined
}

/** A bind whose changes are recorded, so that they can be told, and written to the host. */
export interface Tracked {
  readonly setup: {
    /** The real path on the host. */
    readonly source: string
    readonly readonly: boolean
    /** Its changes reach the host without being applied. */
    readonly live: boolean
    readonly tree: HostTree
    readonly place: TrackedPlace
  }
  readonly ledger: Ledger
  /** Whether nothing may be written to the host any more. */
  readonly isStopped: boolean
  /** The absolute path of `rel` in the sandbox. */
  path(rel: string): string
  /** The bytes of the sandbox's file. */
  read(rel: string): Promise<Uint8Array>
}
