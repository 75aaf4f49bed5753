import type { Word } from 'unbash'
import { literalOf, oneWord } from '../words.ts'
import type { CommandRule } from './command.ts'
import { readsTexts } from './escapes.ts'

/** Escapes that the engine's `printf` may not read, where a variable turns out to be `-e`. */
const ESCAPE = /\\[^ntr\\]/

/** `echo` of the engine takes backslashes for escapes, and knows `-n` only. */
export const echo: CommandRule = ({ node, words, literals }, work) => {
  const { script } = work
  let [newline, escapes, from] = [true, false, 0]
  for (; /^-[neE]+$/.test(literals[from] ?? ''); from++) {
    for (const letter of (literals[from] ?? '').slice(1)) {
      if (letter === 'n') newline = false
      else escapes = letter === 'e'
    }
  }
  const texts = words.slice(from)
  const options = words.slice(0, from).map(({ text }) => text)
  const isOwn = !escapes && options.every((option) => option === '-n') && options.length < 2
  if (
    isOwn &&
    texts.every(({ text, parts }) => !text.includes('\\') && !hasExpansion(parts)) &&
    !isLikeOption(literalOf(texts[0]))
  )
    return
  const format = `'${escapes ? '%b' : '%s'}${newline ? '\\n' : ''}'`
  const rest = node.redirects.map((one) => script.text(one)).join(' ')
  const tail = rest === '' ? '' : ` ${rest}`
  const assigned = node.prefix.some(({ type }) => type === 'Assignment')
  if (assigned) return
  if (texts.every(isOne) && !mayBeOption(texts[0])) {
    const joined = texts.map((word) => oneWord(word, script)).join("' '")
    const isRead = !escapes || readsTexts(texts)
    const program = isRead ? 'printf' : `${work.program('printf')} --echo`
    script.replace(node, `${program} ${format} ${joined === '' ? "''" : joined}${tail}`)
    return
  }
  script.compounded.add(node)
  const written = texts.map((word) => script.text(word)).join(' ')
  const isRead = !escapes && texts.every(({ value }) => !ESCAPE.test(value))
  const program = isRead ? 'printf' : `${work.program('printf')} --echo`
  const redirected = `{ __ssr_join ${format} ${written}; ${program} "$__ssr_format" "$__ssr_words"${tail}; }`
  script.replace(node, rest === '' && isRead ? `__ssr_echo ${format} ${written}` : redirected)
}

/** Whether a word may become an option of `echo`: nothing of it tells that it does not. */
function mayBeOption(word: Word | undefined): boolean {
  if (word === undefined || literalOf(word) !== undefined) return false
  return !/^"?(?:[^-$"`\\]|\$[?#$!]|\$\(\()/.test(word.text)
}

/** Whether the engine takes a word for an option, and bash does not. */
function isLikeOption(literal: string | undefined): boolean {
  return literal !== undefined && /^-n/.test(literal) && !/^-[neE]+$/.test(literal)
}

/** Whether a word stays one: it is neither split, nor matched with names of files, nor written out. */
function isOne({ parts }: Word): boolean {
  return (parts ?? []).every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      part.type === 'ArithmeticExpansion' ||
      (part.type === 'SimpleExpansion' && /^\$[?#$!]$/.test(part.text)) ||
      (part.type === 'DoubleQuoted' && !/\$[@{]?@/.test(part.text)),
  )
}

function hasExpansion(parts: Word['parts']): boolean {
  return (parts ?? []).some(
    (part) =>
      part.type === 'SimpleExpansion' ||
      part.type === 'ParameterExpansion' ||
      part.type === 'CommandExpansion' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' &&
        part.parts.some(({ type }) => type !== 'Literal' && type !== 'ArithmeticExpansion')),
  )
}
