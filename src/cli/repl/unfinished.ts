import { UNFINISHED_MESSAGE } from '../../contract/syntax-message.ts'
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

/** Whether a text that Strands Shell did not run is the beginning of a command. */
export function isBeginning(_: string, { exitCode, stdout, stderr }: ExecutionResult): boolean {
  return exitCode === 2 && stdout === '' && stderr.startsWith(`strands-shell: ${UNFINISHED_MESSAGE}`)
}

/** A text without what is quoted, but for substitutions, and without comments. An open quote stays. */
export function bare(text: string): string {
  return text.replaceAll(/\\.|'[^']*'|"(?:\\.|[^"\\])*"|(?<=^|\s)#[^\n]*/gs, (part) =>
    part.startsWith('"') && /\$\(|`/.test(part) ? part : '',
  )
}
