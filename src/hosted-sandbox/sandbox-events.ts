import { nextTick } from 'node:process'
import type { ConflictData } from '../contract/shell-api.ts'
import { refuse } from '../sandbox/arguments.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'
import { toConflict } from '../session/change-reports.ts'

/** Told of each conflict of a mirrored directory. */
export type ConflictListener = (conflict: ConflictData) => void

/**
 * The listeners of one sandbox. The sandbox holds it, its session only weakly: a listener that holds its
 * sandbox keeps neither alive.
 */
export class SandboxEvents {
  readonly #onConflict = new Set<ConflictListener>()

  /** @throws SandboxConfigError with the field `event` or `listener`. */
  on(event: unknown, listener: unknown): void {
    this.#onConflict.add(requireListener(event, listener))
  }

  /** @throws SandboxConfigError with the field `event` or `listener`. */
  off(event: unknown, listener: unknown): void {
    this.#onConflict.delete(requireListener(event, listener))
  }

  /**
   * Tells every listener of every conflict, in order. What a listener throws is thrown again on the next
   * tick, as an uncaught exception, like that of a listener of Node's `EventTarget`: no other listener and
   * no call sees it.
   */
  emitConflicts(conflicts: readonly ConflictData[]): void {
    for (const conflict of conflicts.map((given) => Object.freeze(toConflict(given)))) {
      for (const listener of [...this.#onConflict]) {
        try {
          listener(conflict)
        } catch (error) {
          nextTick(() => {
            throw error
          })
        }
      }
    }
  }
}

function requireListener(event: unknown, listener: unknown): ConflictListener {
  if (event !== 'conflict') throw refuse('event', `must be 'conflict', but is ${showValue(event)}.`)
  if (isListener(listener)) return listener
  throw refuse('listener', `must be a function, but is ${kindOf(listener)}.`)
}

function isListener(value: unknown): value is ConflictListener {
  return typeof value === 'function'
}
