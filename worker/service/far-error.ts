import type { ErrorData } from '../../src/contract/errors.ts'
import { panicLoss } from '../engines/strands/guards/panic.ts'
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

/** What the engine answers where output is longer than any JavaScript string. */
const unprintable = /^Failed to convert rust `String` into napi/
const longestString = 0x1fff_ffe8

function tooMuchOutput(detail: string): ErrorData {
  return {
    code: 'LIMIT_EXCEEDED',
    message: 'The command ran, but its output is longer than any string can be. Send it to a file instead.',
    limit: { name: 'string length', value: longestString },
    detail,
  }
}

/** What any error of this side becomes when it crosses. */
export function toErrorData(error: unknown): ErrorData {
  if (isFarError(error)) return error.data
  const loss = panicLoss(error)
  if (loss !== null) return { code: 'WORKER_LOST', message: loss.message, loss }
  const message = error instanceof Error ? error.message : String(error)
  if (unprintable.test(message)) return tooMuchOutput(message)
  if (error instanceof RetiredError) {
    return { code: 'WORKER_LOST', message, loss: { code: 'WORKER_EXITED', message } }
  }
  return { code: 'IO_ERROR', message }
}
