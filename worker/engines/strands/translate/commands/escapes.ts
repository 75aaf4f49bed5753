import type { Word } from 'unbash'
import { literalOf } from '../words.ts'

/** Escapes that the engine's `printf` reads in a format as bash does. It prints others as they are. */
const IN_FORMAT = /^(?:[^\\]|\\[ntr\\]|\\0[0-7]{0,2}(?![0-7]))*$/
/** The same in what `%b` gets, and `echo -e`. */
const IN_TEXT = /^(?:[^\\]|\\[ntr\\]|\\0(?![0-7]))*$/

/** Whether the engine's `printf` is certain to read the escapes of a format as bash does. */
export function readsFormat(format: Word | undefined): boolean {
  const text = literalOf(format)
  return text !== undefined && IN_FORMAT.test(text)
}

/** Whether it is certain to read those of what `%b` gets. */
export const readsTexts = (texts: readonly Word[]): boolean =>
  texts.every((word) => IN_TEXT.test(literalOf(word) ?? '\\'))
