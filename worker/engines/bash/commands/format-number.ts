/** One conversion of a format: `%-08.3f`. */
export interface Conversion {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  readonly letter: string
}

/** A text at least as wide as is asked for. */
export function padded(text: string, { flags, width }: Conversion): string {
  return flags.includes('-') ? text.padEnd(width) : text.padStart(width)
}

function signed(negative: boolean, digits: string, conversion: Conversion, zeros: boolean): string {
  const { flags, width } = conversion
  const sign = negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const filled = zeros && !flags.includes('-') ? digits.padStart(width - sign.length, '0') : digits
  return padded(sign + filled, conversion)
}

/** `%d %i %u %x %X %o` of a 64-bit integer. */
export function formatInteger(value: bigint, conversion: Conversion): string {
  const { flags, precision, letter } = conversion
  const signs = letter === 'd' || letter === 'i'
  const number = signs ? value : BigInt.asUintN(64, value)
  const radix = { x: 16, X: 16, o: 8 }[letter] ?? 10
  let digits = (number < 0n ? -number : number).toString(radix)
  if (letter === 'X') digits = digits.toUpperCase()
  if (precision !== undefined)
    digits = precision === 0 && number === 0n ? '' : digits.padStart(precision, '0')
  const zeros = flags.includes('0') && precision === undefined
  if (flags.includes('#') && number !== 0n && letter !== 'd' && letter !== 'u' && letter !== 'i') {
    const prefix = letter === 'o' ? '0' : `0${letter}`
    const { width } = conversion
    const filled = zeros && !flags.includes('-') ? digits.padStart(width - prefix.length, '0') : digits
    return padded(prefix + filled, conversion)
  }
  const plain = signs ? conversion : { ...conversion, flags: flags.replaceAll(/[+ ]/g, '') }
  return signed(number < 0n, digits, plain, zeros)
}

const power = (text: string) => text.replace(/e([-+])(\d)$/, 'e$10$2')

/** More digits than `toFixed` gives: a double has no more than 1,074 after the point. */
const MOST_DIGITS = 100

/** Halves go to the even digit; `toFixed` rounds them up. */
function toEven(value: number, precision: number): string {
  const up = value.toFixed(precision)
  if (precision > 20 || !/[13579]$/.test(up)) return up
  const half = value.toFixed(precision + 60 > MOST_DIGITS ? MOST_DIGITS : precision + 60)
  const tail = half.slice(half.indexOf('.') + 1 + precision)
  if (!/^50*$/.test(tail)) return up
  return half.slice(0, half.indexOf('.') + (precision === 0 ? 0 : 1 + precision))
}

function fixed(value: number, precision: number): string {
  const shown = Math.min(precision, MOST_DIGITS)
  if (value < 1e21) return toEven(value, shown) + '0'.repeat(precision - shown)
  const whole = BigInt(value).toString()
  return precision === 0 ? whole : `${whole}.${'0'.repeat(precision)}`
}

function shortest(value: number, precision: number, keep: boolean): string {
  const digits = Math.min(MOST_DIGITS, Math.max(1, precision))
  if (value === 0) return keep && digits > 1 ? `0.${'0'.repeat(digits - 1)}` : '0'
  const exponential = value.toExponential(digits - 1)
  const exponent = Number(exponential.split('e')[1])
  const plain = exponent >= -4 && exponent < digits
  const text = plain ? value.toFixed(Math.max(0, digits - 1 - exponent)) : exponential
  const [mantissa = '', exponentText] = text.split('e')
  const short = !keep && mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa
  return exponentText === undefined ? short : power(`${short}e${exponentText}`)
}

/** `%f %e %g` of a double. */
export function formatDouble(value: number, conversion: Conversion): string {
  const { flags, precision = 6, letter } = conversion
  const size = Math.abs(value)
  const negative = value < 0 || Object.is(value, -0)
  let digits: string
  if (!Number.isFinite(value)) digits = Number.isNaN(value) ? 'nan' : 'inf'
  else if (letter === 'f' || letter === 'F') digits = fixed(size, precision)
  else if (letter === 'e' || letter === 'E')
    digits = power(size.toExponential(Math.min(MOST_DIGITS, precision)))
  else digits = shortest(size, precision, flags.includes('#'))
  if (letter !== letter.toLowerCase()) digits = digits.toUpperCase()
  return signed(negative, digits, conversion, flags.includes('0') && Number.isFinite(value))
}
