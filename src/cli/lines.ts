/** Bytes of a line, at most. */
export const longestLine = 256 * 1024 * 1024

/**
 * Yields the lines of a stream as bytes, without their line breaks.
 *
 * @throws {RangeError} for a line of over 256 MiB, and what reading the stream throws
 */
export async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Buffer, void> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const data of stream) {
    const chunk = Buffer.from(data)
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)])
      pieces = []
      size = 0
      start = end + 1
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > longestLine) throw new RangeError('a line is longer than 256 MiB')
  }
  if (pieces.length > 0) yield Buffer.concat(pieces)
}

/** Whether a line holds nothing but white space. */
export function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 13)
}
