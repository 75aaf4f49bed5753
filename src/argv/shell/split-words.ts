import type { Piece } from './read-command.ts'

/** The words of a command: separated by blanks and line breaks that are not quoted. `''` is an empty word. */
export function splitWords(pieces: readonly Piece[]): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  for (const { text, quoted } of pieces) {
    const [first = '', ...more] = quoted ? [text] : text.split(/[ \t\r\n]/)
    if (quoted || first !== '') word = (word ?? '') + first
    for (const next of more) {
      if (word !== undefined) words.push(word)
      word = next === '' ? undefined : next
    }
  }
  if (word !== undefined) words.push(word)
  return words
}
