import { formatNumber } from '../text/format-number.ts'

/** Text from input: a number too where it looks like one. */
class InputText {
  readonly text: string
  readonly number: number

  constructor(text: string, number: number) {
    this.text = text
    this.number = number
  }
}

export type Value = number | string | InputText

/** What a variable is before anything was assigned: "" and 0. */
export const UNSET = new InputText('', 0)

const NUMERIC = /^[ \t\n\r\f\v]*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[ \t\n\r\f\v]*$/
const PREFIX = /^[ \t\n\r\f\v]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/
const NAMED = /^\s*([-+])(inf|nan)\s*$/i

export function fromInput(text: string): Value {
  if (NUMERIC.test(text)) return new InputText(text, Number(text))
  return text
}

export function toNumber(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return value.number
  const prefix = PREFIX.exec(value)
  if (prefix !== null) return Number(prefix[1])
  const named = NAMED.exec(value)
  if (named === null) return 0
  const size = named[2]?.toLowerCase() === 'inf' ? Number.POSITIVE_INFINITY : Number.NaN
  return named[1] === '-' ? -size : size
}

/** Integers are printed whole, anything else by a format such as `%.6g`. */
export function numberText(value: number, format: string): string {
  if (Number.isInteger(value))
    return Math.abs(value) < 1e21 ? String(value === 0 ? 0 : value) : BigInt(value).toString()
  const read = /^%([-+ #0]*)(\d*)(?:\.(\d+))?([eEfFgG])$/.exec(format)
  const [, flags = '', width = '', precision = '6', letter = 'g'] = read ?? []
  return formatNumber(value, { flags, width: Number(width), precision: Number(precision), letter })
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'string') return value !== ''
  return value.number !== 0
}

/** How two values compare: as numbers unless one of them is a string. */
export function compareValues(left: Value, right: Value, text: (value: Value) => string): number {
  if (typeof left !== 'string' && typeof right !== 'string') {
    const [a, b] = [toNumber(left), toNumber(right)]
    return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN
  }
  return compareTexts(text(left), text(right))
}

/** By code point. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (a === b) continue
    const isPair = (unit: number) => unit >= 0xd800 && unit < 0xe000
    if (isPair(a) !== isPair(b) && a > 0x7f && b > 0x7f) return isPair(a) ? 1 : -1
    return a - b
  }
  return left.length - right.length
}
