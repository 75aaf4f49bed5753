/** A lock that many hold at once, or one exclusively. New holders wait while somebody waits for exclusive access. */
export class SharedLock {
  #holders = 0
  #exclusive: Promise<void> | undefined
  #endExclusive: (() => void) | undefined
  #onFree: (() => void) | undefined

  /** Resolves when nobody has, or waits for, exclusive access. */
  async acquire(): Promise<void> {
    while (this.#exclusive !== undefined) await this.#exclusive
    this.#holders += 1
  }

  release(): void {
    this.#holders -= 1
    if (this.#holders === 0) this.#onFree?.()
  }

  /** Runs `work` while nobody else holds the lock. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#exclusive !== undefined) await this.#exclusive
    this.#exclusive = new Promise((resolve) => {
      this.#endExclusive = resolve
    })
    try {
      while (this.#holders > 0) {
        await new Promise<void>((resolve) => {
          this.#onFree = resolve
        })
      }
      return await work()
    } finally {
      this.#exclusive = undefined
      this.#endExclusive?.()
    }
  }
}

/** Runs `work` with all locks held exclusively. Every caller takes them in the same order. */
export function alone(locks: readonly SharedLock[], work: () => Promise<void>): Promise<void> {
  const [first, ...others] = locks
  return first === undefined ? work() : first.exclusive(() => alone(others, work))
}
