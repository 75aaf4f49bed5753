import type { ErrorData } from '../../../contract/errors.ts'
import {
  EngineUnavailableError,
  SandboxConfigError,
  SandboxLimitError,
  SessionLoss,
  UnsupportedError,
  WorkerLostError,
} from '../../../sandbox/errors.ts'

/** An error with which opening a lease has failed, as it crosses to the host. */
export function errorDataOf(error: unknown): ErrorData {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SandboxConfigError) return { code: 'INVALID_CONFIG', message, field: error.field }
  if (error instanceof EngineUnavailableError) return { code: 'ENGINE_UNAVAILABLE', message }
  if (error instanceof UnsupportedError) return { code: 'UNSUPPORTED', message }
  if (error instanceof SandboxLimitError) {
    return { code: 'LIMIT_EXCEEDED', message, limit: { name: error.limit, value: error.value } }
  }
  if (error instanceof WorkerLostError && error.cause instanceof SessionLoss) {
    const { code, message: why } = error.cause
    return { code: 'WORKER_LOST', message, loss: { code, message: why } }
  }
  return { code: 'WORKER_LOST', message, loss: { code: 'PROTOCOL', message } }
}
