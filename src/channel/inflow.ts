import { Assembly, namesContent } from './assembly.ts'
import type { ContentSource } from './content-reader.ts'
import type { Decoded } from './decode.ts'
import { ProtocolBreach } from './errors.ts'
import { CONTROL_LANE, FrameKind, HEADER_BYTES, MAX_PAYLOAD_BYTES } from './wire.ts'

/** What came from the far side: a message of a lane, the news that it has closed a lane, or that it has read its content. */
export type Received =
  | { readonly kind: 'message'; readonly lane: number; readonly message: Decoded }
  | { readonly kind: 'close'; readonly lane: number }
  | { readonly kind: 'taken' }

/**
 * Reads messages from the bytes of one pipe. The far side is another process and may send anything: what is not of the
 * protocol throws. Memory is held for a frame and for one unfinished message a lane; a message that announces more
 * than it sends costs address space and no memory.
 */
export class Inflow {
  readonly #isOpen: (lane: number) => boolean
  readonly #mostControlBytes: number | undefined
  readonly #contents: ContentSource | undefined
  readonly #unfinished = new Map<number, Assembly>()
  #chunk: Buffer = Buffer.alloc(0)
  #at = 0
  /** A frame that came in more than one chunk, as far as it has come. */
  readonly #split = Buffer.allocUnsafeSlow(HEADER_BYTES + MAX_PAYLOAD_BYTES)
  #splitBytes = 0

  /**
   * @param isOpen - frames of lanes that are not open are dropped.
   * @param mostControlBytes - bytes that a control message may have. Default: as many as any other.
   * @param contents - where long parts are. Default: in the frames.
   */
  constructor(isOpen: (lane: number) => boolean, mostControlBytes?: number, contents?: ContentSource) {
    this.#isOpen = isOpen
    this.#mostControlBytes = mostControlBytes
    this.#contents = contents
  }

  /** Takes the next bytes. What came before must have been taken. */
  push(chunk: Buffer): void {
    this.#chunk = chunk
    this.#at = 0
  }

  /**
   * What has come and was not taken, one by one; undefined where nothing is complete.
   *
   * @throws ProtocolBreach - the bytes are not of the protocol. Nothing can be taken any more.
   */
  take(): Received | undefined {
    for (let frame = this.#nextFrame(); frame !== undefined; frame = this.#nextFrame()) {
      const received = this.#receive(frame)
      if (received !== undefined) return received
    }
    return undefined
  }

  /** Forgets what has come of an unfinished message. */
  drop(lane: number): void {
    this.#unfinished.delete(lane)
  }

  #receive(frame: Buffer): Received | undefined {
    const kind = frame.readUInt8(4)
    const lane = frame.readUInt32LE(5)
    const payload = frame.subarray(HEADER_BYTES)
    if (kind === FrameKind.taken) {
      if (lane !== CONTROL_LANE || payload.length > 0)
        throw new ProtocolBreach('The far side took a content on a lane, or sent content with it.')
      return { kind: 'taken' }
    }
    if (lane !== CONTROL_LANE && !this.#isOpen(lane)) {
      if (kind === FrameKind.first) this.#skip(payload)
      return undefined
    }
    if (kind === FrameKind.close) {
      if (lane === CONTROL_LANE || payload.length > 0)
        throw new ProtocolBreach('The far side closed the control lane, or sent content with a close.')
      return { kind: 'close', lane }
    }
    const message = kind === FrameKind.first ? this.#begin(lane, payload) : this.#unfinished.get(lane)
    if (message === undefined)
      throw new ProtocolBreach(`The far side continued a message that it had not begun (lane ${lane}).`)
    if (kind === FrameKind.more) message.add(payload)
    if (!message.complete) {
      this.#unfinished.set(lane, message)
      return undefined
    }
    this.#unfinished.delete(lane)
    return { kind: 'message', lane, message: message.read() }
  }

  #begin(lane: number, payload: Buffer): Assembly {
    if (this.#unfinished.has(lane))
      throw new ProtocolBreach(`The far side sent a message within another (lane ${lane}).`)
    return new Assembly(payload, lane === CONTROL_LANE ? this.#mostControlBytes : undefined, this.#contents)
  }

  /** The next content waits for the end of this one. */
  #skip(payload: Buffer): void {
    if (this.#contents !== undefined && namesContent(payload)) this.#contents.skip()
  }

  /** The next frame, header included; good until the next is asked for. */
  #nextFrame(): Buffer | undefined {
    if (this.#splitBytes > 0) return this.#nextSplitFrame()
    const { length } = this.#chunk
    const left = length - this.#at
    if (left >= HEADER_BYTES) {
      const bytes = frameBytes(this.#chunk, this.#at)
      if (left >= bytes) {
        this.#at += bytes
        return this.#chunk.subarray(this.#at - bytes, this.#at)
      }
    }
    this.#gather(left)
    return undefined
  }

  #nextSplitFrame(): Buffer | undefined {
    if (!this.#gather(HEADER_BYTES)) return undefined
    const bytes = frameBytes(this.#split, 0)
    if (!this.#gather(bytes)) return undefined
    this.#splitBytes = 0
    return this.#split.subarray(0, bytes)
  }

  /** Copies from the chunk until the split frame has `bytes`. False: the chunk has not enough. */
  #gather(bytes: number): boolean {
    const wanted = Math.max(0, bytes - this.#splitBytes)
    const copied = this.#chunk.copy(this.#split, this.#splitBytes, this.#at, this.#at + wanted)
    this.#at += copied
    this.#splitBytes += copied
    return copied === wanted
  }
}

/** Bytes of the frame that begins there, by its own account. */
function frameBytes(bytes: Buffer, at: number): number {
  const payload = bytes.readUInt32LE(at)
  const kind = bytes.readUInt8(at + 4)
  if (payload > MAX_PAYLOAD_BYTES || kind < FrameKind.first || kind > FrameKind.taken) {
    throw new ProtocolBreach(
      `The far side sent a frame of kind ${kind} with ${payload} bytes, which is not of the protocol.`,
    )
  }
  return HEADER_BYTES + payload
}
