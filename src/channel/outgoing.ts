import type { ContentShare } from './content-file.ts'
import type { Encoded } from './encode.ts'
import { CONTROL_LANE, FrameKind, HEADER_BYTES, IN_CONTENT_FILE, PIECE_BYTES, tableBytes } from './wire.ts'

/** Something on its way to the far side, a frame at a time. */
export interface Outgoing {
  /** Adds its next frame to `chunks`. True: that was the last. */
  takeFrame(lane: number, chunks: Buffer[]): boolean
}

/** Tells the far side that a lane is closed. */
export const closing: Outgoing = {
  takeFrame(lane, chunks) {
    chunks.push(header(FrameKind.close, lane, 0, 0))
    return true
  },
}

/** Tells the far side that its content was read. */
export const taken: Outgoing = {
  takeFrame(_, chunks) {
    chunks.push(header(FrameKind.taken, CONTROL_LANE, 0, 0))
    return true
  },
}

/** A message. It holds no reference to what was taken of it. */
export class OutgoingMessage implements Outgoing {
  readonly #contents: Pick<ContentShare, 'put'> | undefined
  #rest: Buffer[]
  #table: number[] | undefined

  /** @param contents - what one long part of it may be put into. */
  constructor({ head, parts }: Encoded, contents?: Pick<ContentShare, 'put'>) {
    this.#contents = contents
    this.#rest = [head, ...parts]
    this.#table = [head.length, parts.length, ...parts.map(({ length }) => length)]
  }

  takeFrame(lane: number, chunks: Buffer[]): boolean {
    const at = chunks.length
    if (this.#table !== undefined) this.#putContent(this.#table)
    let room = PIECE_BYTES
    while (room > 0) {
      const [next] = this.#rest
      if (next === undefined) break
      chunks.push(next.length > room ? next.subarray(0, room) : next)
      if (next.length > room) this.#rest[0] = next.subarray(room)
      else this.#rest.shift()
      room -= Math.min(next.length, room)
    }
    chunks.splice(at, 0, this.#header(lane, PIECE_BYTES - room))
    return this.#rest.length === 0
  }

  /** Before the first frame: what is never sent must not occupy the file. */
  #putContent(table: number[]): void {
    const contents = this.#contents
    if (contents === undefined) return
    const index = this.#rest.findIndex((part, place) => place > 0 && contents.put(part))
    if (index < 0) return
    table[index + 1] = IN_CONTENT_FILE + (this.#rest[index]?.length ?? 0)
    this.#rest = this.#rest.filter((_, place) => place !== index)
  }

  #header(lane: number, bytes: number): Buffer {
    const table = this.#table
    if (table === undefined) return header(FrameKind.more, lane, bytes, 0)
    this.#table = undefined
    const before = tableBytes(table.length - 2)
    const first = header(FrameKind.first, lane, before + bytes, before)
    let at = HEADER_BYTES
    for (const length of table) at = first.writeUInt32LE(length, at)
    return first
  }
}

function header(kind: number, lane: number, payloadBytes: number, room: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + room)
  bytes.writeUInt32LE(payloadBytes, 0)
  bytes.writeUInt8(kind, 4)
  bytes.writeUInt32LE(lane, 5)
  return bytes
}
