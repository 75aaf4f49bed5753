import { setImmediate } from '../async/clock.ts'

/** Bytes that are worked on before the event loop has a turn. */
const STEP = 8 * 2 ** 20

/** Work on many bytes in parts, so that the event loop has a turn now and then. */
export class Turns {
  #bytes = 0

  /** Does something with each part of the bytes. */
  async over(bytes: Uint8Array, act: (part: Uint8Array) => void): Promise<void> {
    for (let at = 0; at < bytes.length || at === 0; at += STEP) {
      const part = bytes.subarray(at, at + STEP)
      act(part)
      this.#bytes += part.length
      if (this.#bytes >= STEP) await this.#turn()
    }
  }

  #turn(): Promise<void> {
    this.#bytes = 0
    return new Promise((resolve) => setImmediate(resolve))
  }
}
