import { setImmediate } from '../async/clock.ts'
import type { ContentShare } from './content-file.ts'
import type { Encoded } from './encode.ts'
import { closing, type Outgoing, OutgoingMessage, taken } from './outgoing.ts'
import { CONTROL_LANE, PIECE_BYTES } from './wire.ts'

/** Nothing more is written while the pipe has not taken so many bytes: later messages can still go before what waits. */
const WINDOW_BYTES = PIECE_BYTES

/** Writes chunks, `bytes` in all, and calls back when the pipe has taken them. */
export type Write = (chunks: readonly Buffer[], bytes: number, done: () => void) => void

/**
 * Messages of many lanes on their way into one pipe, in order within a lane. Lanes take turns, a piece each; control
 * messages go before all others. Nothing is written while the pipe has enough.
 */
export class Outflow {
  readonly #write: Write
  readonly #contents: ContentShare | undefined
  /** Lanes with something to send, the next one first. */
  readonly #lanes = new Map<number, Outgoing[]>()
  #inFlight = 0
  #scheduled = false

  /** @param contents - where long parts are put. Default: all cross in frames. */
  constructor(write: Write, contents?: ContentShare) {
    this.#write = write
    this.#contents = contents
  }

  send(lane: number, message: Encoded): void {
    this.#add(lane, new OutgoingMessage(message, this.#contents))
  }

  /** Tells the far side that a lane is closed, after what was sent on it. */
  close(lane: number): void {
    this.#add(lane, closing)
  }

  /** Tells the far side that its content was read. */
  taken(): void {
    this.#add(CONTROL_LANE, taken)
  }

  /** Forgets what was not sent on a lane. */
  drop(lane: number): void {
    this.#lanes.delete(lane)
  }

  /** Forgets everything. */
  clear(): void {
    this.#lanes.clear()
  }

  /** What comes in one turn of the event loop is written together. */
  #add(lane: number, item: Outgoing): void {
    const queue = this.#lanes.get(lane)
    if (queue === undefined) this.#lanes.set(lane, [item])
    else queue.push(item)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#pump()
    })
  }

  #pump(): void {
    const chunks: Buffer[] = []
    let bytes = 0
    while (this.#inFlight + bytes < WINDOW_BYTES && this.#lanes.size > 0) {
      const before = chunks.length
      this.#takeFrame(chunks)
      for (let index = before; index < chunks.length; index++) bytes += chunks[index]?.length ?? 0
    }
    if (bytes === 0) return
    this.#inFlight += bytes
    this.#write(chunks, bytes, () => {
      this.#inFlight -= bytes
      this.#pump()
    })
  }

  /** Takes a frame of the next lane, which then comes last. */
  #takeFrame(chunks: Buffer[]): void {
    const [first = CONTROL_LANE] = this.#lanes.keys()
    const lane = this.#lanes.has(CONTROL_LANE) ? CONTROL_LANE : first
    const queue = this.#lanes.get(lane) ?? []
    this.#lanes.delete(lane)
    if (queue[0]?.takeFrame(lane, chunks) === true) queue.shift()
    if (queue.length > 0) this.#lanes.set(lane, queue)
  }
}
