import type { LossData } from '../contract/errors.ts'
import { MemoryLimitError, SessionLoss, WorkerLostError } from './errors.ts'

/** A loss as the error that tells of it. */
export function lossError(
  loss: LossData,
  message = `The session was lost: ${loss.message}`,
): WorkerLostError {
  const cause = new SessionLoss(loss.code, loss.message, loss.output)
  return loss.code === 'CELL_MEMORY'
    ? new MemoryLimitError(message, { cause })
    : new WorkerLostError(message, { cause })
}
