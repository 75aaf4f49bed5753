/** A seeded source of choices: the same seed gives the same scripts. */
export class Choices {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0, below `limit`. */
  below(limit: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  one<T>(of: readonly T[]): T {
    const chosen = of[this.below(of.length)]
    if (chosen === undefined) throw new RangeError('There is nothing to choose from.')
    return chosen
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0
  }

  list<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make)
  }
}
