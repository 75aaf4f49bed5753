import type { Effects } from './effects.ts'
import { NONE, WRITES, WRITES_AND_RENAMES } from './effects.ts'
import type { Operand } from './scan-word.ts'
import { UNSEEN } from './scan-word.ts'

const isOption = (value: string) => value.startsWith('-') && value !== '-'

/** `sort`: with options that order lines. */
export function sort(words: readonly Operand[]): Effects {
  for (let at = 0; at < words.length; at++) {
    const { value, inert } = words[at] ?? UNSEEN
    if (inert) continue
    if (value === null) return WRITES
    if (!isOption(value) || /^-[rnufbs]+$/.test(value) || /^-[rnufbs]*[kt]./.test(value)) continue
    if (!/^-[rnufbs]*[kt]$/.test(value) || words[++at]?.value === null) return WRITES
  }
  return NONE
}

/** `uniq`: with one operand at most; a second names its output. */
export function uniq(words: readonly Operand[]): Effects {
  let operands = 0
  for (let at = 0; at < words.length; at++) {
    const value = words[at]?.value ?? null
    if (value === null) return WRITES
    if (!isOption(value)) operands++
    else if (value === '-f' || value === '-s') {
      if (!/^\d+$/.test(words[++at]?.value ?? '')) return WRITES
    } else if (!/^-(?:[cdui]+|[fs]\d+)$/.test(value)) return WRITES
  }
  return operands > 1 ? WRITES : NONE
}

/** `printf`: with a format that is certainly not an option. */
export function printf([format]: readonly Operand[]): Effects {
  return format === undefined || (format.value !== null && format.inert) ? NONE : WRITES
}

/** `env`: without words; some would be commands to run. */
export function env(words: readonly Operand[]): Effects {
  return words.length === 0 ? NONE : WRITES_AND_RENAMES
}
