import { formatNumber, pad } from '../text/format-number.ts'
import { AwkError } from './lexer.ts'
import { toNumber, type Value } from './values.ts'

const CONVERSION = /%(?:%|([-+ #0']*)(\*|\d*)(?:\.(\*|\d*))?(?:hh|h|ll|l|L|q|j|z|t)?([a-zA-Z]))/g

/** Widths and precisions beyond this are refused. */
const MAX_WIDTH = 1_000_000

function size(text: string): number {
  const value = Number(text)
  if (value > MAX_WIDTH) throw new AwkError(`a width of ${text} is more than fits here`)
  return value
}

/** What `printf` and `sprintf` give. */
export function formatValues(
  format: string,
  values: readonly Value[],
  text: (value: Value) => string,
): string {
  let at = 0
  const take = (): Value => {
    if (at >= values.length) throw new AwkError(`not enough arguments to satisfy format string: ${format}`)
    at += 1
    return values[at - 1] ?? ''
  }
  return format.replaceAll(
    CONVERSION,
    (whole, given: string | undefined, width: string, dot, letter: string) => {
      if (given === undefined) return '%'
      let flags = given.replaceAll("'", '')
      let columns = size(width === '*' ? String(Math.trunc(toNumber(take()))) : width)
      if (columns < 0) [flags, columns] = [`${flags}-`, -columns]
      const places = dot === '*' ? Math.trunc(toNumber(take())) : dot === undefined ? undefined : size(dot)
      const precision = places !== undefined && places < 0 ? undefined : places
      const conversion = { flags, width: columns, precision, letter }
      if (letter === 's') {
        const value = text(take())
        return pad(precision === undefined ? value : [...value].slice(0, precision).join(''), conversion)
      }
      if (letter === 'c') {
        const value = take()
        const isNumber = typeof value === 'number' || (typeof value !== 'string' && value.text !== '')
        return pad(isNumber ? codePoint(toNumber(value)) : [...text(value)].slice(0, 1).join(''), conversion)
      }
      if (!'diouxXeEfFgG'.includes(letter)) return whole
      return formatNumber(toNumber(take()), conversion)
    },
  )
}

function codePoint(value: number): string {
  const point = Math.trunc(value)
  return point >= 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
}
