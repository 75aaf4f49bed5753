const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Shows a text as Python's `repr` does, which the messages of AG2's adapters use: `'git push'`. */
export function pythonRepr(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll(/[\\'\p{C}\p{Z}]/gu, (character) => {
    if (character === ' ') return character
    if (character === "'") return mark === "'" ? "\\'" : character
    return ESCAPES[character] ?? escapeCodePoint(character.codePointAt(0) ?? 0)
  })
  return mark + escaped + mark
}

/** A list of texts in the same way: `['python', 'bash']`. */
export function pythonListRepr(texts: readonly string[]): string {
  return `[${texts.map(pythonRepr).join(', ')}]`
}

function escapeCodePoint(code: number): string {
  const hex = code.toString(16)
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  if (code <= 0xffff) return `\\u${hex.padStart(4, '0')}`
  return `\\U${hex.padStart(8, '0')}`
}
