import { type Conversion, formatDouble, formatInteger, padded } from '../commands/format-number.ts'
import { AwkError } from './error.ts'
import { Input, toNumber, toText, type Value } from './values.ts'

const SPEC = /%(?:%|(\d+\$)?([-+ 0#']*)(\*|\d+)?(?:\.(\*|\d*))?([a-zA-Z]))/g

/** `sprintf(format, args…)`. @throws {AwkError} */
export function sprintf(format: string, args: readonly Value[], convfmt: string, limit: number): string {
  let next = 0
  let size = 0
  const text = format.replaceAll(
    SPEC,
    (
      whole,
      position,
      flags: string = '',
      width: string | undefined,
      precision: string | undefined,
      letter: string = '',
    ) => {
      if (whole === '%%') return '%'
      if (position !== undefined) throw new AwkError(`${whole} is not known here`)
      const take = () => args[next++]
      const count = (of: string) => (of === '*' ? Math.trunc(toNumber(take() ?? 0)) : Number(of))
      const wide = width === undefined ? 0 : count(width)
      const conversion: Conversion = {
        flags: wide < 0 ? `${flags}-` : flags,
        width: Math.abs(wide),
        precision: precision === undefined ? undefined : count(precision),
        letter,
      }
      if (conversion.width > limit || (conversion.precision ?? 0) > limit)
        throw new AwkError(`a text of more than ${limit} characters does not fit here`)
      if (next >= args.length)
        throw new AwkError(`not enough arguments for the format ${JSON.stringify(format)}`)
      const shown = convert(take() ?? '', conversion, convfmt)
      size += shown.length
      if (size > limit) throw new AwkError(`a text of more than ${limit} characters does not fit here`)
      return shown
    },
  )
  return text
}

function convert(value: Value, conversion: Conversion, convfmt: string): string {
  const { letter, precision } = conversion
  if (letter === 's') {
    const text = toText(value, convfmt)
    return padded(precision === undefined ? text : [...text].slice(0, precision).join(''), conversion)
  }
  if (letter === 'c') {
    const isNumber = typeof value === 'number' || value instanceof Input
    const code = Math.trunc(toNumber(value))
    const text = isNumber
      ? String.fromCodePoint(code >= 0 && code <= 0x10ffff ? code : 0xfffd)
      : ([...toText(value)][0] ?? '')
    return padded(text, conversion)
  }
  const number = toNumber(value)
  if ('diouxX'.includes(letter)) {
    if (!Number.isFinite(number))
      return formatDouble(number, { ...conversion, precision: undefined, letter: 'g' })
    return formatInteger(BigInt(Math.trunc(number)), conversion)
  }
  if ('eEfFgG'.includes(letter)) return formatDouble(number, conversion)
  throw new AwkError(`%${letter} is not known here`)
}
