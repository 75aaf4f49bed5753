import type { ErrorData } from '../src/contract/errors.ts'
import { panicLoss } from './guards/panic.ts'
import { RetiredError } from './native-gate.ts'

/** An error of this side, ready to cross as data. */
export class FarError extends Error {
  readonly data: ErrorData

  constructor(data: ErrorData) {
    super(data.message)
    this.data = data
  }
}

/** What any error of this side becomes when it crosses. */
export function toErrorData(error: unknown): ErrorData {
  if (error instanceof FarError) return error.data
  const loss = panicLoss(error)
  if (loss !== null) return { code: 'WORKER_LOST', message: loss.message, loss }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof RetiredError) {
    return { code: 'WORKER_LOST', message, loss: { code: 'WORKER_EXITED', message } }
  }
  return { code: 'IO_ERROR', message }
}
