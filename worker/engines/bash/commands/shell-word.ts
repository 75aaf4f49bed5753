const SPECIAL = /[ \t\n'"\\|&;()<>!{}*[\]?^$`,]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/
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
export function shellWord(text: string): string {
  if (text === '') return "''"
  if (CONTROL.test(text)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
    const escaped = text.replaceAll(/[\u0000-\u001f\u007f'\\]/g, (one) => {
      return LETTERS[one] ?? `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`
    })
    return `$'${escaped}'`
  }
  return text
    .replaceAll(SPECIAL, '\\$&')
    .replace(/^[#~]/, '\\$&')
    .replaceAll(/([:=])~/g, '$1\\~')
}
