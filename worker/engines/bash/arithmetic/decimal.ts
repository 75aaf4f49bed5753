/** A decimal: `digits / 10 ** scale`. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** The digits of a decimal with another scale; what does not fit is cut off. */
export const rescale = ({ digits, scale }: Decimal, to: number): bigint =>
  to >= scale ? digits * 10n ** BigInt(to - scale) : digits / 10n ** BigInt(scale - to)

/** The square root of a whole number, without its fraction. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let guess = 1n << BigInt(Math.ceil(bitsOf(value) / 2))
  for (;;) {
    const next = (guess + value / guess) / 2n
    if (next >= guess) return guess
    guess = next
  }
}

export const bitsOf = (value: bigint): number => value.toString(2).length
