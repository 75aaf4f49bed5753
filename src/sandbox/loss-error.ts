import type { LossCode, LossData } from '../contract/errors.ts'
import { MemoryLimitError, SessionLoss, WorkerLostError } from './errors.ts'
import { foreignText } from './message-text.ts'
import { reportable } from './report-hint.ts'

/** Losses by a bug, of the engine or of this package. */
const byBug: ReadonlySet<LossCode> = new Set(['ENGINE_PANIC', 'PROTOCOL'])

/** Losses for want of memory. */
const byMemory: ReadonlySet<LossCode> = new Set(['CELL_MEMORY', 'HEAP_EXHAUSTED'])

/** A loss as the error that tells of it. */
export function lossError(
  loss: LossData,
  message = `The session was lost: ${loss.message}`,
): WorkerLostError {
  const how = byBug.has(loss.code) ? reportable(loss.message) : loss.message
  const cause = new SessionLoss(loss.code, how, loss.output)
  return byMemory.has(loss.code)
    ? new MemoryLimitError(foreignText(message), { cause })
    : new WorkerLostError(foreignText(message), { cause })
}
