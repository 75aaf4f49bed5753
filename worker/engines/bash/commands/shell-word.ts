import { decode, encode } from '../text/bytes.ts'

const SPECIAL = /[ \t\n'"\\|&;()<>!{}*[\]?^$`,]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
const ESCAPED = /[\u0000-\u001f\u007f'\\]|(?<![\ud800-\udbff])[\udc80-\udcff]/g
const LETTERS: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\x07': '\\a',
  '\b': '\\b',
  '\v': '\\v',
  '\f': '\\f',
  '\x1b': '\\E',
  "'": "\\'",
  '\\': '\\\\',
}

/** A text as `printf %q` writes it, so that the shell reads it as one word. Bytes as latin1. */
export function shellWord(latin1: string): string {
  const text = decode(latin1)
  if (text === '') return "''"
  if (CONTROL.test(text) || !text.isWellFormed()) {
    const escaped = text.replaceAll(ESCAPED, (one) => {
      return LETTERS[one] ?? `\\${encode(one).charCodeAt(0).toString(8).padStart(3, '0')}`
    })
    return encode(`$'${escaped}'`)
  }
  return latin1
    .replaceAll(SPECIAL, '\\$&')
    .replace(/^[#~]/, '\\$&')
    .replaceAll(/([:=])~/g, '$1\\~')
}
