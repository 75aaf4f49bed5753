/** Flags, width and precision of a conversion such as `%-08.3f`. */
export interface Conversion {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  readonly letter: string
}

/** More digits than this JavaScript does not give: what follows is filled with zeros. */
const MOST_DIGITS = 100

const isTie = (digits: string) => /^50*$/.test(digits)
const isEven = (digits: string) => Number(digits.at(-1)) % 2 === 0

/** `toFixed` that rounds exact halves to even, as C does. */
function fixed(value: number, digits: number): string {
  if (value >= 1e21) return BigInt(value).toString() + (digits > 0 ? `.${'0'.repeat(digits)}` : '')
  const places = Math.min(digits, MOST_DIGITS)
  const rounded = value.toFixed(places)
  const [whole = '', fraction = ''] = value.toFixed(MOST_DIGITS).split('.')
  const cut = places === 0 ? whole : `${whole}.${fraction.slice(0, places)}`
  const even = isTie(fraction.slice(places)) && isEven(cut) ? cut : rounded
  return even + '0'.repeat(digits - places)
}

function exponential(value: number, digits: number): string {
  const places = Math.min(digits, MOST_DIGITS)
  const [mantissa = '', power = ''] = value.toExponential(MOST_DIGITS).split('e')
  const cut = places === 0 ? mantissa.slice(0, 1) : mantissa.slice(0, 2 + places)
  const even = isTie(mantissa.slice(2 + places)) && isEven(cut)
  return (even ? `${cut}e${power}` : value.toExponential(places)).replace(/e([-+])(\d)$/, 'e$10$2')
}

function general(value: number, precision: number, keep: boolean): string {
  const digits = Math.min(MOST_DIGITS, Math.max(1, precision))
  if (value === 0) return keep ? (0).toFixed(digits - 1) : '0'
  const text = exponential(value, digits - 1)
  const power = Number(text.slice(text.indexOf('e') + 1))
  if (power < -4 || power >= digits) {
    const [mantissa = '', exponent = ''] = text.split('e')
    return `${keep || !mantissa.includes('.') ? mantissa : mantissa.replace(/\.?0+$/, '')}e${exponent}`
  }
  const plain = fixed(value, digits - 1 - power)
  return keep || !plain.includes('.') ? plain : plain.replace(/\.?0+$/, '')
}

function magnitude(value: number, { letter, precision = 6, flags }: Conversion): string {
  switch (letter.toLowerCase()) {
    case 'f':
      return fixed(value, precision)
    case 'e':
      return exponential(value, precision)
    default:
      return general(value, precision, flags.includes('#'))
  }
}

/** `%f %e %g` of a double, as `printf` of C prints it; any conversion of an infinity, or of no number. */
export function formatDouble(value: number, conversion: Conversion): string {
  const { letter } = conversion
  const finite = Number.isFinite(value)
  const size = Math.abs(value)
  const digits = finite ? magnitude(size, conversion) : Number.isNaN(value) ? 'nan' : 'inf'
  const shown = letter === letter.toLowerCase() ? digits : digits.toUpperCase()
  return filled(value < 0 || Object.is(value, -0), shown, conversion, finite)
}

/** `%d %u %x %o` of an integer. A negative one has a sign in every base. */
export function formatInteger(value: bigint, conversion: Conversion): string {
  const { flags, precision, letter } = conversion
  const base = letter === 'o' ? 8 : letter === 'x' || letter === 'X' ? 16 : 10
  let digits = precision === 0 && value === 0n ? '' : (value < 0n ? -value : value).toString(base)
  digits = digits.padStart(precision ?? 1, '0')
  const prefixed = flags.includes('#') && value !== 0n
  if (prefixed && base === 8 && !digits.startsWith('0')) digits = `0${digits}`
  const prefix = prefixed && base === 16 ? `0${letter}` : ''
  if (letter === 'X') digits = digits.toUpperCase()
  return filled(value < 0n, digits, conversion, precision === undefined, prefix)
}

/** A number by any conversion: those of integers cut off what is behind the point. */
export function formatNumber(value: number, conversion: Conversion): string {
  return Number.isFinite(value) && 'diouxX'.includes(conversion.letter)
    ? formatInteger(BigInt(Math.trunc(value)), conversion)
    : formatDouble(value, conversion)
}

/** Sign, prefix and digits, as wide as is asked for. @param mayFill - whether the flag `0` holds. */
function filled(
  negative: boolean,
  digits: string,
  conversion: Conversion,
  mayFill: boolean,
  prefix = '',
): string {
  const { flags, width } = conversion
  const sign = negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const before = sign + prefix
  const zeros = mayFill && flags.includes('0') && !flags.includes('-')
  return pad(before + (zeros ? digits.padStart(width - before.length, '0') : digits), conversion)
}

/** A text at least as wide as is asked for, in characters. */
export function pad(text: string, { flags, width }: Pick<Conversion, 'flags' | 'width'>): string {
  const missing = width - [...text].length
  if (missing <= 0) return text
  return flags.includes('-') ? text + ' '.repeat(missing) : ' '.repeat(missing) + text
}
