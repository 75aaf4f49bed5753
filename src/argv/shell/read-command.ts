/** A piece of a command as a POSIX shell reads it: what was quoted stands for itself. */
export interface Piece {
  readonly text: string
  readonly quoted: boolean
}

/**
 * Reads the quoting of a command: `'…'`, `"…"` and backslashes. Nothing is expanded, and `#` begins no comment.
 *
 * @returns undefined where a quote is not closed, or a backslash is the last character
 */
export function readCommand(command: string): readonly Piece[] | undefined {
  const pieces: Piece[] = []
  let rest = command
  while (rest !== '') {
    const [read, length] = readPiece(rest) ?? []
    if (read === undefined || length === undefined) return undefined
    if (read !== 'nothing') pieces.push(read)
    rest = rest.slice(length)
  }
  return pieces
}

/** The first piece of a text and how much of the text it takes; `nothing` for a line that goes on. */
function readPiece(text: string): readonly [Piece | 'nothing', number] | undefined {
  switch (text[0]) {
    case "'":
      return readSingleQuotes(text)
    case '"':
      return readDoubleQuotes(text)
    case '\\':
      return readEscape(text)
    default: {
      const plain = /^[^'"\\]+/.exec(text)?.[0] ?? ''
      return [{ text: plain, quoted: false }, plain.length]
    }
  }
}

function readSingleQuotes(text: string): readonly [Piece, number] | undefined {
  const end = text.indexOf("'", 1)
  return end === -1 ? undefined : [{ text: text.slice(1, end), quoted: true }, end + 1]
}

function readDoubleQuotes(text: string): readonly [Piece, number] | undefined {
  const match = /^"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/.exec(text)
  if (match === null) return undefined
  const [whole, inner = ''] = match
  const unescaped = inner.replaceAll(/\\([\n"\\$`])/g, (_, escaped) => (escaped === '\n' ? '' : escaped))
  return [{ text: unescaped, quoted: true }, whole.length]
}

function readEscape(text: string): readonly [Piece | 'nothing', number] | undefined {
  if (text.length === 1) return undefined
  if (text[1] === '\n') return ['nothing', 2]
  return [{ text: text.slice(1, 2), quoted: true }, 2]
}
