import { BcLimit } from './bc-errors.ts'
import type { Decimal } from './decimal.ts'

const DIGITS = '0123456789ABCDEF'

/** A number as it is written. A digit that its base has not is the highest one of the base, but alone it is itself. */
export function literalOf(token: string, base: number): Decimal {
  const [left = '', right = ''] = token.split('.')
  if (right !== '' && base !== 10) throw new BcLimit(`a fraction under ibase is not available here: ${token}`)
  const highest = left.length + right.length === 1 ? 15 : base - 1
  const digits = [...left, ...right].map((digit) => Math.min(DIGITS.indexOf(digit), highest))
  return {
    digits: digits.reduce((value, digit) => value * BigInt(base) + BigInt(digit), 0n),
    scale: right.length,
  }
}

/** A number in a base: as many digits behind the point as its decimal ones need. */
export function printIn(base: number, { digits, scale }: Decimal): string {
  const one = 10n ** BigInt(scale)
  const size = digits < 0n ? -digits : digits
  const sign = digits < 0n ? '-' : ''
  const whole = size / one
  let text = whole === 0n && digits !== 0n ? '' : whole.toString(base).toUpperCase()
  if (scale === 0 || digits === 0n) return sign + text
  text += '.'
  let rest = size % one
  for (let weight = 1n; weight < one; weight *= BigInt(base)) {
    rest *= BigInt(base)
    text += DIGITS[Number(rest / one)] ?? ''
    rest %= one
  }
  return sign + text
}

export function inDecimal({ digits, scale }: Decimal): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const left = text.slice(0, text.length - scale).replace(/^0+(?=\d)/, '')
  const sign = digits < 0n ? '-' : ''
  if (scale === 0) return sign + left
  if (digits === 0n) return '0'
  return `${sign}${left === '0' ? '' : left}.${text.slice(text.length - scale)}`
}
