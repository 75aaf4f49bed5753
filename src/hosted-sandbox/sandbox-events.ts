import type { ConflictData } from '../contract/shell-api.ts'
import { TypedEmitter } from '../sandbox/typed-emitter.ts'
import { toConflict } from '../session/change-reports.ts'

/** Told of each conflict of a mirrored directory. */
export type ConflictListener = (conflict: ConflictData) => void

/**
 * The listeners of one sandbox. The sandbox holds them, its session only weakly: a listener that holds its sandbox keeps
 * neither alive.
 */
export class SandboxEvents extends TypedEmitter<{ readonly conflict: ConflictData }> {
  constructor() {
    super(['conflict'])
  }

  /** Tells every listener of every conflict, in order. */
  emitConflicts(conflicts: readonly ConflictData[]): void {
    for (const conflict of conflicts) this.emit('conflict', () => toConflict(conflict))
  }
}
