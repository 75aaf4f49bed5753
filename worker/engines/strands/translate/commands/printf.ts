import type { Word } from 'unbash'
import { isNumeric } from '../numbers.ts'
import { refuse } from '../refusal.ts'
import type { Work } from '../work.ts'
import type { CommandRule } from './command.ts'
import { readsFormat, readsTexts } from './escapes.ts'

const CONVERSION = /%[-+ #0'\d.]*([a-zA-Z%])/g
/** Conversions that the engine prints otherwise: with a width, a sign, a point or a size, and most others. */
const OTHER = /%(?:[^sdioxXcb%]|[^a-zA-Z%]+%|\()|%[-+ #0'.\d*]+[a-zA-Z]/

/** `printf` of the engine knows no floating point, few escapes, and takes what is no number for 0. */
export const printf: CommandRule = ({ words, literals, nameWord }, work) => {
  if (literals[0] === '-v') refuse('printf -v', 'use name=$(printf …)')
  const first = literals[0] === '--' ? 1 : 0
  const format = literals[first] ?? words[first]?.text ?? ''
  if (
    first === 1 ||
    !readsFormat(words[first]) ||
    (/%[-\d]*b/.test(format) && !readsTexts(words.slice(1))) ||
    OTHER.test(format.replaceAll('%%', '')) ||
    mayBeWrong(format, words.slice(1), work)
  )
    work.script.replace(nameWord, work.program('printf'))
}

/** Whether an argument that is to be a number may be none. */
function mayBeWrong(format: string, args: readonly Word[], { facts }: Work): boolean {
  const kinds = [...format.matchAll(CONVERSION)].map(([, kind = '']) => kind).filter((kind) => kind !== '%')
  if (!kinds.some((kind) => 'dioxX'.includes(kind))) return false
  return args.some((word, index) => {
    if (!/[dioxX]/.test(kinds[index % kinds.length] ?? '')) return !isOneWord(word)
    const name = /^"?\$\{?(\w+)\}?"?$/.exec(word.text)?.[1]
    return !isNumeric(word) && (name === undefined || !facts.numbers.isPlain(name, word.pos))
  })
}

/** Whether a word stays one. */
function isOneWord({ parts }: Word): boolean {
  return (parts ?? []).every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' && !part.text.includes('@')),
  )
}
