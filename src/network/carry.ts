import type { Readable, Writable } from 'node:stream'

/** Copies a stream with back pressure, and its end. `count` is told of every piece, and whether it may pass. */
export function carry(from: Readable, to: Writable, count: (bytes: number) => boolean): void {
  from.on('data', (piece: Buffer) => {
    if (count(piece.length) && !to.write(piece)) from.pause()
  })
  to.on('drain', () => from.resume())
  // A client that closes its side at once has ended before its tunnel is open.
  if (from.readableEnded) to.end()
  else from.on('end', () => to.end())
}
