import { rewriting } from './wrapper.ts'

const SPEC = /%(?:%|([-0+ #]*)(\d+|\*)?(?:\.(\d+|\*))?([a-zA-Z]))/g

/** `%g`: just-bash takes zeros from the end of the exponent. */
function shortest(value: number, precision: number): string {
  if (value === 0) return '0'
  const exponent = Number(value.toExponential(Math.max(0, precision - 1)).split('e')[1])
  const plain = exponent >= -4 && exponent < Math.max(1, precision)
  const digits = plain
    ? value.toFixed(Math.max(0, precision - 1 - exponent))
    : value.toExponential(Math.max(0, precision - 1))
  const [mantissa = '', power] = digits.split('e')
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa
  return power === undefined ? short : `${short}e${power[0]}${power.slice(1).padStart(2, '0')}`
}

/** just-bash prints `-1` as hexadecimal `1`, and integers above 2^53 inexactly. */
function exact(kind: string, text: string): string | undefined {
  if (!/^[-+]?\d+$/.test(text)) return undefined
  const value = BigInt(text)
  const safe = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
  if (safe && (value >= 0n || kind === 'd' || kind === 'i')) return undefined
  const clamped = kind === 'd' || kind === 'i' ? clamp(value) : BigInt.asUintN(64, value)
  const digits = clamped.toString({ x: 16, X: 16, o: 8 }[kind] ?? 10)
  return kind === 'X' ? digits.toUpperCase() : digits
}

function clamp(value: bigint): bigint {
  const top = 2n ** 63n - 1n
  return value > top ? top : value < -top - 1n ? -top - 1n : value
}

function digitsOf(kind: string, text: string, precision: string | undefined): string | undefined {
  if ('xXoudi'.includes(kind)) return exact(kind, text)
  if ((kind !== 'g' && kind !== 'G') || text.trim() === '' || !Number.isFinite(Number(text))) return undefined
  const short = shortest(Number(text), Number(precision ?? '6'))
  return kind === 'G' ? short.toUpperCase() : short
}

/** `printf` whose unsigned conversions take 64 bits, and with `%g`. */
export const printf = rewriting('printf', (args) => {
  const at = args[0] === '-v' ? 2 : args[0] === '--' ? 1 : 0
  const format = args[at]
  if (
    format === undefined ||
    (!/%[-+ 0-9.]*[gG]/.test(format) && !args.slice(at + 1).some((arg) => /^-\d|^\+?\d{16}/.test(arg)))
  )
    return args
  const specs = [...format.matchAll(SPEC)].filter(([whole]) => whole !== '%%')
  if (specs.length === 0 || specs.some(([, , width, precision]) => width === '*' || precision === '*'))
    return args
  const values = args.slice(at + 1)
  const rounds = Math.ceil(values.length / specs.length)
  let index = 0
  const whole = Array.from({ length: rounds }, () =>
    format.replaceAll(
      SPEC,
      (spec, flags: string = '', width: string = '', precision: string | undefined, kind: string = '') => {
        if (spec === '%%') return spec
        const digits = digitsOf(kind, values[index] ?? '', precision)
        if (digits !== undefined)
          values[index] = flags.includes('0') ? digits.padStart(Number(width), '0') : digits
        index += 1
        return digits === undefined ? spec : `%${flags.includes('-') ? '-' : ''}${width}s`
      },
    ),
  ).join('')
  return [...args.slice(0, at), whole, ...values]
})
