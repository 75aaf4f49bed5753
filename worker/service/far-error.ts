import type { ErrorData } from '../../src/contract/errors.ts'
import { errorMessage } from './error-message.ts'
import { RetiredError } from './native-gate.ts'

const FAR_ERROR = 'FarError'

/** An error of this side, ready to cross as data. */
export class FarError extends Error {
  override readonly name = FAR_ERROR
  readonly data: ErrorData

  constructor(data: ErrorData) {
    super(data.message)
    this.data = data
  }
}

/** By shape: what is loaded on demand has a class of its own. */
function isFarError(error: unknown): error is FarError {
  return error instanceof Error && error.name === FAR_ERROR && 'data' in error
}

/** What any error of this side becomes when it crosses. */
export function toErrorData(error: unknown): ErrorData {
  if (isFarError(error)) return error.data
  const message = errorMessage(error)
  if (error instanceof RetiredError) {
    return { code: 'WORKER_LOST', message, loss: { code: 'WORKER_EXITED', message } }
  }
  return { code: 'IO_ERROR', message }
}
