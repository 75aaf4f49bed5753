/** A call in its order. */
interface Turn {
  /** Resolves when all calls before have left. */
  readonly begins: Promise<void>
  /** The call is past, or has given up. */
  readonly leave: () => void
}

/** Lets calls come one at a time, in the order in which they came. One that has given up leaves nothing behind. */
export class CallOrder {
  readonly #calls = new Set<() => void>()

  enter(): Turn {
    let begin: () => void = () => undefined
    const begins = new Promise<void>((resolve) => {
      begin = resolve
    })
    this.#calls.add(begin)
    this.#beginFirst()
    return {
      begins,
      leave: () => {
        this.#calls.delete(begin)
        this.#beginFirst()
      },
    }
  }

  #beginFirst(): void {
    const [first] = this.#calls
    first?.()
  }
}
