import { SYNTAX_MESSAGE } from '../../contract/syntax-message.ts'
import type { ExecutionResult } from '../../sandbox/results.ts'
import { hasOpenHereDocument } from './here-documents.ts'

/**
 * Whether more lines belong to a text, whatever the engine would make of it: it ends in `&&`, `||`, `|` or `\`, or in
 * a here-document.
 */
export function goesOn(text: string): boolean {
  const backslashes = /\\*$/.exec(text)?.[0].length ?? 0
  return backslashes % 2 === 1 || /(?:&&|\|)\s*$/.test(bare(text)) || hasOpenHereDocument(text)
}

/**
 * Whether a text that Strands Shell did not run is the beginning of a command. Its complaint alone does not tell: a
 * script with a mistake, run by a command that is finished, gives the same one.
 */
export function isBeginning(text: string, { exitCode, stdout, stderr }: ExecutionResult): boolean {
  if (exitCode === 2 && stderr === UNREADABLE) return hasOpenBracket(bare(text))
  if (exitCode !== 1 || stdout !== '') return false
  const complaint = /^strands-shell: ((?:expected|unterminated) .*)\n$/.exec(stderr)?.[1]
  return complaint !== undefined && openers.get(complaint)?.test(bare(text)) === true
}

const UNREADABLE = `strands-shell: ${SYNTAX_MESSAGE}\n`

function hasOpenBracket(text: string): boolean {
  const more = (open: string, close: string) => text.split(open).length > text.split(close).length
  return more('(', ')') || more('[[', ']]')
}

/** By complaint, what it misses the end of. */
const openers: ReadonlyMap<string, RegExp> = new Map([
  ["expected 'do'", /\b(?:for|while|until)\b/],
  ["expected 'done'", /\b(?:for|while|until)\b/],
  ["expected 'then'", /\bif\b/],
  ["expected 'fi'", /\bif\b/],
  ["expected 'esac'", /\bcase\b/],
  ["expected '{'", /\(\)/],
  ["expected '}'", /\{/],
  ["expected ')'", /\(/],
  ['unterminated $()', /\$\(/],
  ['unterminated $(())', /\$\(\(/],
  ['unterminated backtick', /`/],
  ['unterminated single quote', /'/],
  ['unterminated double quote', /"/],
])

/** A text without what is quoted, but for substitutions, and without comments. An open quote stays. */
export function bare(text: string): string {
  return text.replaceAll(/\\.|'[^']*'|"(?:\\.|[^"\\])*"|(?<=^|\s)#[^\n]*/gs, (part) =>
    part.startsWith('"') && /\$\(|`/.test(part) ? part : '',
  )
}
