import type { ExecutionResult } from '../../sandbox/results.ts'
import { bare } from './unfinished.ts'

/**
 * Whether a text that bash did not run is the beginning of a command: its complaint is about the end of the text, and
 * not about a script that a finished command runs.
 */
export function isBeginningInBash(text: string, { exitCode, stdout, stderr }: ExecutionResult): boolean {
  if (exitCode !== 2 || stdout !== '') return false
  const complaint = /^bash: line \d+: (.*)\n$/.exec(stderr)?.[1]
  if (complaint === 'syntax error: unexpected end of file') return true
  const missing = /^unexpected EOF while looking for matching [`'](.)'$/.exec(complaint ?? '')?.[1]
  return missing !== undefined && openers.get(missing)?.test(bare(text)) === true
}

/** By what is missing, what it closes. */
const openers: ReadonlyMap<string, RegExp> = new Map([
  ["'", /'/],
  ['"', /"/],
  ['}', /\$\{/],
  [')', /\(/],
  ['`', /`/],
])
