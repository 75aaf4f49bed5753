import { EXHAUSTION_CODES, EXHAUSTION_REMEDIES } from '../contract/exhaustion.ts'
import { errorCode } from './error-code.ts'
import { errorMessage, isError } from './kinds.ts'
import { forbiddenByNode } from './permission-model.ts'

const names = new RegExp(`\\b(?:${EXHAUSTION_CODES.join('|')})\\b`)

/** The name of the system's error where it has no more threads, descriptors or memory; undefined for any other error. */
export function exhaustionCode(error: unknown): string | undefined {
  if (!isError(error)) return undefined
  if (error.name === 'RangeError' && /allocation failed/i.test(error.message)) return 'ENOMEM'
  return names.exec(`${errorCode(error) ?? ''} ${error.message}`)?.[0]
}

/** Whether an error is one of these by its code: it says nothing of the file that was to be opened. */
export function isExhausted(error: unknown): boolean {
  return EXHAUSTION_CODES.includes(errorCode(error) ?? '')
}

/** What an error says and, where the system has no more of something or Node does not allow it, what helps. */
export function withRemedy(error: unknown): string {
  const forbidden = forbiddenByNode(error)
  if (forbidden !== undefined) return forbidden
  const message = errorMessage(error)
  const code = exhaustionCode(error)
  const remedy = code === undefined ? undefined : EXHAUSTION_REMEDIES[code]
  return remedy === undefined ? message : `${message.replace(/\.$/, '')}. ${remedy}`
}
