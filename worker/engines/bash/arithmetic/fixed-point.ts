import { bitsOf, type Decimal, rescale, squareRoot } from './decimal.ts'

/** Whole numbers that stand for numbers with a fixed count of places behind the point. */
export class FixedPoint {
  readonly #places: number
  readonly #one: bigint
  readonly #step: () => void

  constructor(places: number, step: () => void) {
    this.#places = places
    this.#one = 10n ** BigInt(places)
    this.#step = step
  }

  of(value: Decimal): bigint {
    return rescale(value, this.#places)
  }

  cut(digits: bigint, scale: number): bigint {
    return rescale({ digits, scale: this.#places }, scale)
  }

  inverse(value: bigint): bigint {
    return (this.#one * this.#one) / value
  }

  /** e to the power of a number that is not negative. */
  power(value: bigint): bigint {
    const halvings = bitsOf(value / this.#one) + 8
    const part = value >> BigInt(halvings)
    let power = this.#sum(this.#one, (term, at) => this.#product(term, part) / at)
    for (let count = 0; count < halvings; count++) power = this.#product(power, power)
    return power
  }

  /** The natural logarithm of a number above 0. */
  logarithm(value: bigint): bigint {
    const doublings = bitsOf(value) - bitsOf(this.#one)
    const shift = BigInt(Math.abs(doublings))
    const part = doublings > 0 ? value >> shift : value << shift
    const ofTwo = this.#areaTangent(this.#one / 3n)
    const rest = this.#areaTangent(((part - this.#one) * this.#one) / (part + this.#one))
    return 2n * (rest + BigInt(doublings) * ofTwo)
  }

  sine(value: bigint): bigint {
    return this.#sine(value, this.#pi())
  }

  cosine(value: bigint): bigint {
    const pi = this.#pi()
    return this.#sine(value + pi / 2n, pi)
  }

  arctangent(value: bigint): bigint {
    if (value < 0n) return -this.arctangent(-value)
    if (value > this.#one) return this.#pi() / 2n - this.arctangent(this.inverse(value))
    const quarter = this.#halfTangent(this.#halfTangent(value))
    return 4n * this.#odd(quarter, -this.#product(quarter, quarter))
  }

  /** The Bessel function of an order that is not negative. */
  bessel(order: bigint, value: bigint): bigint {
    const half = value / 2n
    let first = this.#one
    for (let at = 1n; at <= order; at++) {
      this.#step()
      first = this.#product(first, half) / at
    }
    const square = this.#product(half, half)
    return this.#sum(first, (term, at) => -this.#product(term, square) / (at * (at + order)))
  }

  #product(left: bigint, right: bigint): bigint {
    return (left * right) / this.#one
  }

  #sine(value: bigint, pi: bigint): bigint {
    const angle = value % (2n * pi)
    const square = this.#product(angle, angle)
    return this.#sum(angle, (term, at) => -this.#product(term, square) / (2n * at * (2n * at + 1n)))
  }

  #pi(): bigint {
    const ofInverse = (whole: bigint) => this.#odd(this.#one / whole, -this.#one / (whole * whole))
    return 16n * ofInverse(5n) - 4n * ofInverse(239n)
  }

  /** The tangent of half the angle. */
  #halfTangent(tangent: bigint): bigint {
    return (tangent * this.#one) / (this.#one + squareRoot(this.#one * this.#one + tangent * tangent))
  }

  #areaTangent(value: bigint): bigint {
    return this.#odd(value, this.#product(value, value))
  }

  /** The sum of a power by each odd number, where the next power is `factor` times the one before. */
  #odd(first: bigint, factor: bigint): bigint {
    let power = first
    return this.#sum(first, (_, at) => {
      power = this.#product(power, factor)
      return power / (2n * at + 1n)
    })
  }

  #sum(first: bigint, next: (term: bigint, at: bigint) => bigint): bigint {
    let [sum, term] = [first, first]
    for (let at = 1n; term !== 0n; at++) {
      this.#step()
      term = next(term, at)
      sum += term
    }
    return sum
  }
}
