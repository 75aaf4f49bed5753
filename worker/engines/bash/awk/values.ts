import { formatDouble } from '../commands/format-number.ts'
import { AwkError } from './error.ts'

/** A text that came in and looks like a number: it is compared as one. */
export class Input {
  readonly text: string
  readonly number: number

  constructor(text: string, number: number) {
    this.text = text
    this.number = number
  }
}

/** What a variable is before it is assigned: '' and 0. */
export const UNSET = Symbol('unset')

export type Value = number | string | Input | typeof UNSET
export type AwkArray = Map<string, Value>

const PREFIX = /^[ \t\n\r\f\v]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/

/** What came in from outside: a number where it looks like one. */
export function input(text: string): Value {
  if (text.length > 400) return text
  const match = PREFIX.exec(text)
  if (match === null || text.slice(match[0].length).trim() !== '') return text
  return new Input(text, Number(match[1]))
}

export function toNumber(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') {
    const match = PREFIX.exec(value)
    return match === null ? 0 : Number(match[1])
  }
  return value === UNSET ? 0 : value.number
}

/** @param format - CONVFMT or OFMT. */
export function toText(value: Value, format = '%.6g'): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return numberText(value, format)
  return value === UNSET ? '' : value.text
}

export function numberText(value: number, format: string): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString()
  const match = /^%([-+ 0#]*)(\d*)(?:\.(\d+))?([eEfFgGd])$/.exec(format)
  if (match === null) throw new AwkError(`${format}: such a format of numbers is not known here`)
  const [, flags = '', width = '', precision, letter = 'g'] = match
  const conversion = {
    flags,
    width: Number(width),
    letter,
    precision: precision === undefined ? undefined : Number(precision),
  }
  if (!Number.isFinite(value))
    return formatDouble(value, { flags: '+', width: 0, precision: undefined, letter: 'g' })
  return letter === 'd' ? String(Math.trunc(value)) : formatDouble(value, conversion)
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'string') return value !== ''
  if (typeof value === 'number') return value !== 0
  return value !== UNSET && value.number !== 0
}

/** Numbers as numbers, everything else as text. @returns below 0, 0 or above 0. */
export function compare(left: Value, right: Value, format: string): number {
  if (typeof left !== 'string' && typeof right !== 'string') {
    const difference = toNumber(left) - toNumber(right)
    return Number.isNaN(difference) ? (toNumber(left) === toNumber(right) ? 0 : 1) : difference
  }
  const a = toText(left, format)
  const b = toText(right, format)
  return a === b ? 0 : a < b ? -1 : 1
}
