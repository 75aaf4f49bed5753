/** Smaller contents are copied into a buffer of their own at no cost worth saving. */
const smallest = 256 * 1024

/**
 * Copies what is to be moved to a worker into the buffer that came back from the last time, where that is
 * large enough and not collected meanwhile: touching fresh pages costs more than the copy itself.
 */
export class Scratch {
  #buffer: WeakRef<ArrayBuffer> | undefined

  /** A copy of `content`, in a buffer of its own. */
  copy(content: Uint8Array): Uint8Array<ArrayBuffer> {
    const buffer = content.byteLength < smallest ? undefined : this.#buffer?.deref()
    if (buffer === undefined || buffer.byteLength < content.byteLength) return new Uint8Array(content)
    this.#buffer = undefined
    const copy = new Uint8Array(buffer, 0, content.byteLength)
    copy.set(content)
    return copy
  }

  /**
   * Keeps the buffer of a copy, as long as memory is not short: the one that came back, or, where the copy has crossed to another
   * process, the one that stayed here.
   */
  keep(returned: ArrayBuffer, copy: ArrayBuffer): void {
    const buffer = returned.byteLength > 0 ? returned : copy
    if (buffer.byteLength >= smallest) this.#buffer = new WeakRef(buffer)
  }
}
