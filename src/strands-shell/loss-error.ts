import type { LossData } from '../contract/errors.ts'
import { SessionLoss, WorkerLostError } from '../sandbox/errors.ts'

/** A lost session as the error its callers see. */
export function lossError(loss: LossData): WorkerLostError {
  return new WorkerLostError(`The session was lost: ${loss.message}`, {
    cause: new SessionLoss(loss.code, loss.message),
  })
}
