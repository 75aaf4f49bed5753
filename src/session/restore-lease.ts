import type { LossData } from '../contract/errors.ts'
import type { OpenRequest } from '../places/open-request.ts'
import { WorkerLostError } from '../sandbox/errors.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { lossError } from '../sandbox/loss-error.ts'
import { refuseSnapshot } from '../snapshot/refuse.ts'
import type { KeptCheckpoint } from './kept-checkpoint.ts'
import type { Lease } from './lease.ts'
import { restore } from './operations.ts'

/**
 * Puts a checkpoint into the fresh shell of a lease. Where that fails, the lease is over.
 *
 * @throws the reason of the request's signal when it fired meanwhile
 */
export async function restoreLease(
  lease: Lease,
  checkpoint: KeptCheckpoint,
  request: OpenRequest,
): Promise<void> {
  const sending = async () => {
    for (const part of checkpoint.parts()) await lease.remote.call(restore(part))
    checkpoint.isFirst = false
  }
  try {
    await Promise.race([sending(), request.cancelled()])
  } catch (error) {
    lease.abandon()
    request.throwIfCancelled()
    throw error
  }
}

/** Why a shell did not begin with a snapshot. */
export function notTakenIn(error: unknown): Error {
  if (error instanceof WorkerLostError) return error
  return refuseSnapshot('refused', `could not be put into the sandbox: ${errorMessage(error)}`, error)
}

/** The loss of a session as it is reported where its checkpoint could not be restored. */
export function notRestored(loss: LossData | undefined, error: unknown): WorkerLostError {
  const why = errorMessage(error)
  const message = `The session was lost, and its files and variables could not be restored: ${why}`
  return lossError(loss ?? { code: 'WORKER_FAILED', message }, message)
}
