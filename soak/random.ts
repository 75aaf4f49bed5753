/** A seeded random number generator (sfc32). The same seed and name give the same numbers. */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number, name: string) {
    ;[this.#a, this.#b, this.#c] = [hash(`${seed}`), hash(name), hash(`${name}/${seed}`)]
    for (let skipped = 0; skipped < 12; skipped++) this.next()
  }

  /** A number from 0 to below 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to below `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  /** A number from `least` to below `most`. */
  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** One of the choices, each with the same probability. */
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0]
  }

  /** One of the choices, with probabilities in proportion to the weights. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let rest = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, choice] of choices) {
      rest -= weight
      if (rest < 0) return choice
    }
    throw new Error('There is nothing to choose from.')
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (const byte of Buffer.from(text)) state = Math.imul(state ^ byte, 0x01000193)
  return state | 0
}
