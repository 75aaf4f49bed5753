import type { ErrorData } from '../../../contract/errors.ts'
import {
  EngineUnavailableError,
  MirrorError,
  SandboxConfigError,
  SandboxIoError,
  SandboxLimitError,
  SandboxPathNotFoundError,
  SandboxPermissionError,
  SessionLoss,
  UnsupportedError,
  WorkerLostError,
} from '../../../sandbox/errors.ts'
import { isError } from '../../../sandbox/kinds.ts'
import { openingError } from '../../../sandbox/opening-error.ts'

/** Of what could not be written to the host, so much crosses with an error: its size is bounded. */
const mostPaths = 20

/** An error with which opening a lease has failed, as it crosses to the host: there it has the same class. */
export function errorDataOf(thrown: unknown): ErrorData {
  const error = openingError(thrown)
  const { message } = error
  if (error instanceof SandboxConfigError) {
    return { code: error.code, message, field: error.field }
  }
  if (
    error instanceof SandboxPathNotFoundError ||
    error instanceof SandboxPermissionError ||
    error instanceof SandboxIoError
  ) {
    return { code: error.code, message, path: error.path, ...detailOf(error) }
  }
  if (error instanceof SandboxLimitError) {
    return { code: error.code, message, limit: { name: error.limit, value: error.value } }
  }
  if (error instanceof MirrorError) {
    const [written, pending] = [error.written.slice(0, mostPaths), error.pending.slice(0, mostPaths)]
    return { code: error.code, message, mirror: { written, pending }, ...detailOf(error) }
  }
  if (error instanceof EngineUnavailableError || error instanceof UnsupportedError) {
    return { code: error.code, message }
  }
  if (error instanceof WorkerLostError && error.cause instanceof SessionLoss) {
    const { code, message: why } = error.cause
    return { code: 'WORKER_LOST', message, loss: { code, message: why } }
  }
  return { code: 'WORKER_LOST', message, loss: { code: 'PROTOCOL', message } }
}

function detailOf({ cause }: Error): { detail?: string } {
  return isError(cause) ? { detail: cause.message } : {}
}
