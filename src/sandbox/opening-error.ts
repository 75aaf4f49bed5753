import { SandboxError } from './errors.ts'
import { exhaustionCode, withRemedy } from './exhaustion.ts'
import { isError } from './kinds.ts'
import { lossError } from './loss-error.ts'
import { forbiddenByNode } from './permission-model.ts'
import { reportable } from './report-hint.ts'

/**
 * What stood in the way of an opening as an error of this package: the system's own errors, and those of a process
 * without memory, become a `WorkerLostError` with the cause `WORKER_FAILED`.
 */
export function openingError(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error
  const why = withRemedy(error)
  const isOfSystem =
    exhaustionCode(error) !== undefined ||
    forbiddenByNode(error) !== undefined ||
    (isError(error) && 'syscall' in error)
  const message = `The sandbox was not opened: ${isOfSystem ? why : reportable(why)}`
  return lossError({ code: 'WORKER_FAILED', message }, message)
}
