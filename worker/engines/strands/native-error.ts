import { FarError } from '../../service/far-error.ts'
import { panicLoss } from './guards/panic.ts'

/** What the engine answers where output is longer than any JavaScript string. */
const unprintable = /^Failed to convert rust `String` into napi/
const longestString = 0x1fff_ffe8

/** What a native call has thrown, as what it means for the session; an error of any other kind as it is. */
export function nativeError(error: unknown): unknown {
  const loss = panicLoss(error)
  if (loss !== null) return new FarError({ code: 'WORKER_LOST', message: loss.message, loss })
  if (!(error instanceof Error) || !unprintable.test(error.message)) return error
  return new FarError({
    code: 'LIMIT_EXCEEDED',
    message: 'The command ran, but its output is longer than any string can be. Send it to a file instead.',
    limit: { name: 'string length', value: longestString },
    detail: error.message,
  })
}
