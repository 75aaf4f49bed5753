import { errorMessage } from '../service/error-message.ts'
import { HostRefusedError, HostWriteError } from './errors.ts'
import type { Conflict } from './types.ts'

/** What was done with the pending changes of a mirror. Paths are relative to the bind. */
export class HostReport {
  readonly written: string[] = []
  readonly removed: string[] = []
  /** Directories that the sandbox removed and the host keeps: something is in them that the sandbox does not see. None of a copy. */
  readonly stayed: string[] = []
  readonly #conflicts: Conflict[] = []
  readonly #failed = new Map<string, string>()

  /** What both sides changed. */
  get conflicts(): readonly Conflict[] {
    return this.#conflicts
  }

  /** The paths that are still pending because the host refused them, with the reason. */
  get failed(): ReadonlyMap<string, string> {
    return this.#failed
  }

  /**
   * Adds a conflict. Where a directory was moved to a conflict name, the versions kept in it moved too: their paths are
   * corrected.
   */
  addConflict(conflict: Conflict | undefined): void {
    if (conflict === undefined) return
    const { path, kept } = conflict
    for (const [index, earlier] of this.#conflicts.entries()) {
      if (kept === undefined || !earlier.kept?.startsWith(`${path}/`)) continue
      this.#conflicts[index] = { ...earlier, kept: kept + earlier.kept.slice(path.length) }
    }
    this.#conflicts.push(conflict)
  }

  /** Makes a change, unless one of the same path failed before. An error is recorded, not thrown. */
  attempt(rel: string, change: () => void): void {
    if (this.#failed.has(rel)) return
    try {
      change()
    } catch (error) {
      this.#failed.set(rel, reasonOf(error))
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof HostRefusedError) return error.reason
  if (error instanceof HostWriteError) return error.code
  return errorMessage(error)
}
