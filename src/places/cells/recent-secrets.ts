/** The last secrets that a cell was given: its output must not show them. */
export class RecentSecrets implements Iterable<string> {
  readonly #secrets = new Set<string>()
  readonly #most: number

  /** @param most - how many are remembered. */
  constructor(most: number) {
    this.#most = most
  }

  add(secret: string): void {
    this.#secrets.delete(secret)
    this.#secrets.add(secret)
    for (const oldest of this.#secrets) {
      if (this.#secrets.size <= this.#most) return
      this.#secrets.delete(oldest)
    }
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#secrets.values()
  }
}
