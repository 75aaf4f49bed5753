const SWAPPED = new Set(['+', '?', '|', '(', ')', '{', '}'])

/** A basic regular expression as an extended one. */
export function basicToExtended(pattern: string): string {
  let start = true
  return mapPieces(pattern, (piece, rest) => {
    const first = start
    start = piece === '\\(' || piece === '\\|'
    if (piece.length === 2 && piece.startsWith('\\') && SWAPPED.has(piece.slice(1))) return piece.slice(1)
    if (SWAPPED.has(piece)) return `\\${piece}`
    if (piece === '*' && first) return '\\*'
    if (piece === '^') {
      start = true
      return first ? '^' : '\\^'
    }
    if (piece === '$') return rest === '' || rest.startsWith('\\)') || rest.startsWith('\\|') ? '$' : '\\$'
    return piece
  })
}

/** Maps characters, escapes and whole bracket expressions. */
function mapPieces(pattern: string, map: (piece: string, rest: string) => string): string {
  const pieces = /\\.|\[\^?\]?(?:\[[:.=].*?[:.=]\]|[^\]])*\]|./gsu
  let result = ''
  for (const match of pattern.matchAll(pieces)) {
    const [piece] = match
    const rest = pattern.slice(match.index + piece.length)
    result += map(piece, rest)
  }
  return result
}
