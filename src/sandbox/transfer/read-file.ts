import type { FileHandle } from 'node:fs/promises'

const LEAST_PIECE = 4096

/**
 * Reads an open file to its end, whatever size it says.
 *
 * @param expected - bytes that it says it has.
 * @param most - bytes.
 * @returns undefined where there are more than `most`.
 */
export async function readFile(
  handle: FileHandle,
  expected: number,
  most: number,
): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  for (let total = 0; ; ) {
    const piece = Buffer.allocUnsafe(Math.max(Math.min(expected, most) - total, LEAST_PIECE))
    const { bytesRead } = await handle.read(piece, 0, piece.length, null)
    if (bytesRead === 0) return Buffer.concat(pieces, total)
    pieces.push(piece.subarray(0, bytesRead))
    total += bytesRead
    if (total > most) return undefined
  }
}
