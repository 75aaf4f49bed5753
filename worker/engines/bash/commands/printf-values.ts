import { decode, encode } from '../text/bytes.ts'

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
  E: '\x1b',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '?': '?',
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(0?[0-7]{1,3})|([\s\S]))/g

/**
 * What the escapes of a format, or of a `%b`, stand for. Bytes as latin1.
 *
 * @param isOperand - `\c` ends the output in a `%b`, and a zero may stand before its octal numbers.
 */
export function escapes(text: string, isOperand: boolean): { text: string; ended: boolean } {
  if (!text.includes('\\')) return { text, ended: false }
  const end = isOperand ? /^(?:[^\\]|\\[^c])*(?=\\c)/s.exec(text) : null
  const kept = end === null ? text : end[0]
  const written = kept.replaceAll(
    ESCAPE,
    (whole, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      const code = short ?? long
      if (code !== undefined)
        return encode(String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)))
      if (octal !== undefined) return octalText(octal, isOperand)
      return LETTERS[letter ?? ''] ?? whole
    },
  )
  return { text: written, ended: end !== null }
}

/** Three digits at most, four with the zero of a `%b`. */
function octalText(digits: string, isOperand: boolean): string {
  const most = isOperand && digits.startsWith('0') ? 4 : 3
  return String.fromCharCode(Number.parseInt(digits.slice(0, most), 8) & 255) + digits.slice(most)
}

interface Read<T> {
  readonly value: T
  /** What is wrong with the operand. */
  readonly complaint?: string
}

const character = (text: string) =>
  /^['"]/.test(text) ? (decode(text.slice(1)).codePointAt(0) ?? 0) : undefined

const TOP = 2n ** 63n - 1n

/** The integer that an operand is: decimal, `0x1f`, `017` or `'A`. */
export function integerOf(text: string, isSigned = true): Read<bigint> {
  const code = character(text)
  if (code !== undefined) return { value: BigInt(code) }
  const match = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(text)
  if (match === null)
    return { value: 0n, ...(text.trim() === '' ? {} : { complaint: `${text}: invalid number` }) }
  const digits = match[2] ?? '0'
  const size = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits)
  const signed = match[1] === '-' ? -size : size
  const top = isSigned || match[1] === '-' ? TOP : 2n * TOP + 1n
  const value = signed > top ? top : signed < -TOP - 1n ? -TOP - 1n : signed
  const rest = text.slice(match[0].length).trimEnd()
  return { value, ...(rest === '' ? {} : { complaint: `${text}: invalid number` }) }
}

/** The double that an operand is. */
export function realOf(text: string): Read<number> {
  const code = character(text)
  if (code !== undefined) return { value: code }
  const match = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf(?:inity)?|nan)/i.exec(
    text,
  )
  if (match === null)
    return { value: 0, ...(text.trim() === '' ? {} : { complaint: `${text}: invalid number` }) }
  const size = /^inf/i.test(match[2] ?? '') ? Number.POSITIVE_INFINITY : Number(match[2])
  const rest = text.slice(match[0].length).trimEnd()
  const value = match[1] === '-' ? -size : size
  return { value, ...(rest === '' ? {} : { complaint: `${text}: invalid number` }) }
}
