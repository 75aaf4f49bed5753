import type { CheckpointContent } from '../../../../src/contract/checkpoint.ts'

/** Bytes that the host has, and how many facts have them. */
interface Sent {
  readonly id: number
  facts: number
}

/** The bytes that the host of a session has. They are not sent again as long as a fact has them. */
export class SentContents {
  readonly #sent = new Map<Uint8Array, Sent>()
  #lastId = 0

  /** The number of the bytes of a fact. New ones are added to `contents`. */
  numberOf(bytes: Uint8Array, contents: CheckpointContent[]): number {
    const id = this.#sent.get(bytes)?.id ?? ++this.#lastId
    // The bytes themselves must not leave the thread.
    if (!this.#sent.has(bytes)) contents.push({ id, bytes: new Uint8Array(bytes) })
    this.hold(bytes, id)
    return id
  }

  /** A fact has these bytes, whose number the host knows. */
  hold(bytes: Uint8Array, id: number): void {
    const sent = this.#sent.get(bytes)
    if (sent === undefined) this.#sent.set(bytes, { id, facts: 1 })
    else sent.facts += 1
    this.#lastId = Math.max(this.#lastId, id)
  }

  /** A fact has them no more. The host lets go of bytes with the last one. */
  release(bytes: Uint8Array): void {
    const sent = this.#sent.get(bytes)
    if (sent === undefined) return
    sent.facts -= 1
    if (sent.facts === 0) this.#sent.delete(bytes)
  }
}
