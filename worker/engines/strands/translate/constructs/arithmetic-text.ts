import type { Word } from 'unbash'
import { refuse } from '../refusal.ts'
import type { Work } from '../work.ts'

/** A word that is computed, such as the offset of `${x:n}`, as a word of a command. */
export function arithmeticText(word: Word, { script }: Work): string {
  const text = script.text(word).trim()
  if (/^-?\d+$/.test(text)) return text
  if (text === '') return '0'
  if (/[/%]|\+\+|--|\*\*|=|\[/.test(text))
    return refuse(`the expression ${text} in \${…:…}`, 'compute it in $(( )) first')
  return `"$((${text}))"`
}
