/** Lets many through at once, or one alone. Whoever wants to be alone waits for those inside, and holds up new ones. */
export class Gate {
  #inside = 0
  #closed: Promise<void> | undefined
  #open: (() => void) | undefined
  #empty: (() => void) | undefined

  /** Resolves when nobody is, or wants to be, alone. */
  async enter(): Promise<void> {
    while (this.#closed !== undefined) await this.#closed
    this.#inside += 1
  }

  leave(): void {
    this.#inside -= 1
    if (this.#inside === 0) this.#empty?.()
  }

  /** Does something while nobody else is inside. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed
    this.#closed = new Promise((resolve) => {
      this.#open = resolve
    })
    try {
      while (this.#inside > 0) {
        await new Promise<void>((resolve) => {
          this.#empty = resolve
        })
      }
      return await work()
    } finally {
      this.#closed = undefined
      this.#open?.()
    }
  }
}
