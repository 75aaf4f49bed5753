import type { Effects } from './effects.ts'
import { NONE, WRITES, writesAt } from './effects.ts'
import type { Operand } from './scan-word.ts'

/** A redirection operator before its target. */
export interface Redirection {
  readonly operator: string
  /** The number that touches it, or `''`. */
  readonly descriptor: string
  /** It belongs to a simple command whose name precedes it. */
  readonly simple: boolean
}

/** What a redirection does. */
export function judgeRedirection(
  { operator, descriptor, simple }: Redirection,
  { value: target, path }: Operand,
): Effects {
  if (operator === '<') return NONE
  if (operator === '>' || operator === '>>') {
    if (target === '/dev/null') return NONE
    return path === null || path === '' ? WRITES : writesAt([path])
  }
  if (operator !== '>&') return WRITES
  if (descriptor === '2') return target === '1' ? NONE : WRITES
  // After a compound command the engine writes a file named `2`.
  return simple && target === '2' && (descriptor === '' || descriptor === '1') ? NONE : WRITES
}
