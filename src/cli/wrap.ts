/** Breaks text between words into rows of at most `columns` characters. */
export function wrap(text: string, columns: number): string[] {
  const rows = ['']
  for (const word of text.split(' ')) {
    const last = rows.at(-1) ?? ''
    if (last === '') rows[rows.length - 1] = word
    else if (last.length + 1 + word.length > columns) rows.push(word)
    else rows[rows.length - 1] = `${last} ${word}`
  }
  return rows
}
