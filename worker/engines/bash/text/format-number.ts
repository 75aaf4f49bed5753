/** Flags, width and precision of a conversion such as `%-08.3f`. */
export interface Conversion {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  readonly letter: string
}

const isTie = (digits: string) => /^50*$/.test(digits)

/** `toFixed` that rounds exact halves to even, as C does. */
function fixed(value: number, digits: number): string {
  if (value >= 1e21) return BigInt(value).toString() + (digits > 0 ? `.${'0'.repeat(digits)}` : '')
  const places = Math.min(digits, 100)
  const rounded = value.toFixed(places)
  if (places >= 100) return rounded
  const [whole = '', fraction = ''] = value.toFixed(100).split('.')
  if (!isTie(fraction.slice(places))) return rounded
  const cut = places === 0 ? whole : `${whole}.${fraction.slice(0, places)}`
  return Number(cut.at(-1)) % 2 === 0 ? cut : rounded
}

function exponential(value: number, digits: number): string {
  const places = Math.min(digits, 100)
  let text = value.toExponential(places)
  const [mantissa = '', power = ''] = value.toExponential(100).split('e')
  const fraction = mantissa.slice(2)
  const cut = places === 0 ? mantissa.slice(0, 1) : mantissa.slice(0, 2 + places)
  if (places < 100 && isTie(fraction.slice(places)) && Number(cut.at(-1)) % 2 === 0) text = `${cut}e${power}`
  return text.replace(/e([-+])(\d)$/, 'e$10$2')
}

function general(value: number, precision: number, keep: boolean): string {
  const digits = precision === 0 ? 1 : precision
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

/** Digits of an integer in a base, at least as many as the precision says. */
function integer(value: number, { letter, precision, flags }: Conversion): string {
  const whole = BigInt(Math.trunc(value))
  const base = letter === 'o' ? 8 : letter === 'x' || letter === 'X' ? 16 : 10
  let digits = whole.toString(base)
  if (precision === 0 && whole === 0n) digits = ''
  digits = digits.padStart(precision ?? 1, '0')
  if (flags.includes('#') && whole !== 0n)
    digits = base === 16 ? `0x${digits}` : base === 8 && !digits.startsWith('0') ? `0${digits}` : digits
  return letter === 'X' ? digits.toUpperCase() : digits
}

function magnitude(value: number, conversion: Conversion): string {
  const { letter, precision = 6, flags } = conversion
  switch (letter) {
    case 'f':
    case 'F':
      return fixed(value, precision)
    case 'e':
    case 'E': {
      const text = exponential(value, precision)
      return letter === 'E' ? text.toUpperCase() : text
    }
    case 'g':
    case 'G': {
      const text = general(value, precision, flags.includes('#'))
      return letter === 'G' ? text.toUpperCase() : text
    }
    default:
      return integer(value, conversion)
  }
}

/** A number as `printf` of C prints it. */
export function formatNumber(value: number, conversion: Conversion): string {
  const { flags, width, letter, precision } = conversion
  const negative = value < 0 || Object.is(value, -0)
  const finite = Number.isFinite(value)
  const size = Math.abs(value)
  const body = finite ? magnitude(size, conversion) : Number.isNaN(value) ? 'nan' : 'inf'
  const isInteger = 'diouxX'.includes(letter)
  const minus = negative && !(isInteger && Math.trunc(value) === 0)
  const sign = minus ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const zeros =
    flags.includes('0') && !flags.includes('-') && finite && !(isInteger && precision !== undefined)
  return zeros ? sign + body.padStart(width - sign.length, '0') : pad(sign + body, flags, width)
}

export function pad(text: string, flags: string, width: number): string {
  const missing = width - [...text].length
  if (missing <= 0) return text
  return flags.includes('-') ? text + ' '.repeat(missing) : ' '.repeat(missing) + text
}
