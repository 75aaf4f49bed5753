import { EXHAUSTION_CODES } from '../sandbox/exhaustion.ts'
import { isError } from '../sandbox/kinds.ts'

/** Whether `error` is a system error of this code. */
export function isCode(error: unknown, code: string): boolean {
  return isError(error) && 'code' in error && error.code === code
}

/** Whether `error` says that nothing more can be opened, or that there is no memory: it says nothing of the file. */
export function isExhausted(error: unknown): boolean {
  return EXHAUSTION_CODES.some((code) => isCode(error, code))
}
