/** A part of a text: new characters, or those of the original from an index up to another. */
export type Piece = string | readonly [start: number, end: number]

/** A change of a text, by its indexes. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly to: string
}

/** The text that pieces of an original make. */
export function joined(pieces: readonly Piece[], original: string): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : original.slice(...piece))).join('')
}

/**
 * Changes a text that consists of pieces.
 *
 * @param edits - in any order.
 * @throws {TypeError} where two of them overlap
 */
export function edited(pieces: readonly Piece[], edits: readonly Edit[]): Piece[] {
  const result: Piece[] = []
  let at = 0
  for (const { start, end, to } of [...edits].sort((one, other) => one.start - other.start)) {
    if (start < at) throw new TypeError(`Two edits change the text at ${start}.`)
    result.push(...part(pieces, at, start), to)
    at = end
  }
  result.push(...part(pieces, at, Number.POSITIVE_INFINITY))
  return result.filter((piece) => piece !== '')
}

/** The pieces of the text from an index up to another. */
function part(pieces: readonly Piece[], from: number, to: number): Piece[] {
  const result: Piece[] = []
  let begin = 0
  for (const piece of pieces) {
    const length = typeof piece === 'string' ? piece.length : piece[1] - piece[0]
    const [first, last] = [Math.max(from - begin, 0), Math.min(to - begin, length)]
    if (first < last)
      result.push(typeof piece === 'string' ? piece.slice(first, last) : [piece[0] + first, piece[0] + last])
    begin += length
  }
  return result
}
