import type { Word } from 'unbash'
import { oneWord } from '../words.ts'
import type { CommandRule } from './command.ts'

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
  if (isOwn && texts.every(({ text, parts }) => !text.includes('\\') && !hasExpansion(parts))) return
  const format = `'${escapes ? '%b' : '%s'}${newline ? '\\n' : ''}'`
  const rest = node.redirects.map((one) => script.text(one)).join(' ')
  const tail = rest === '' ? '' : ` ${rest}`
  const assigned = node.prefix.some(({ type }) => type === 'Assignment')
  if (assigned) return
  if (texts.every(isOne)) {
    const joined = texts.map((word) => oneWord(word, script)).join("' '")
    script.replace(node, `printf ${format} ${joined === '' ? "''" : joined}${tail}`)
    return
  }
  script.compounded.add(node)
  const written = texts.map((word) => script.text(word)).join(' ')
  const redirected = `{ __ssr_join ${written}; printf ${format} "$__ssr_words"${tail}; }`
  script.replace(node, rest === '' ? `__ssr_echo ${format} ${written}` : redirected)
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
