import { type Conversion, formatDouble } from '../text/format-number.ts'
import { done, failed, type OwnCommand } from './command.ts'

interface Options {
  separator: string
  format: string | undefined
  equalWidth: boolean
  readonly numbers: string[]
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const FORMAT = /^((?:[^%]|%%)*)%([-+ 0#']*)(\d*)(?:\.(\d+))?([aefgEFGA])((?:[^%]|%%)*)$/s

function read(args: readonly string[]): Options | string {
  const found: Options = { separator: '\n', format: undefined, equalWidth: false, numbers: [] }
  const words = args.flatMap((arg) => (/^-[sf]./.test(arg) ? [arg.slice(0, 2), arg.slice(2)] : [arg]))
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const long = /^--(separator|format)(?:=(.*))?$/s.exec(word)
    const option = long?.[1]?.[0] ?? (word === '-s' || word === '-f' ? word[1] : undefined)
    if (option !== undefined) {
      const value = long?.[2] ?? words[at + 1]
      if (long?.[2] === undefined) at += 1
      if (value === undefined) return `option requires an argument -- '${option}'`
      if (option === 's') found.separator = value
      else found.format = value
    } else if (word === '-w' || word === '--equal-width') found.equalWidth = true
    else if (word === '--') found.numbers.push(...words.splice(at + 1))
    else if (NUMBER.test(word)) found.numbers.push(word)
    else if (/^-[a-zA-Z-]/.test(word)) return `invalid option -- '${word.replace(/^-+/, '')}'`
    else return `invalid floating point argument: '${word}'`
  }
  return found
}

const decimals = (text: string) => (/[eE]/.test(text) ? 0 : (text.split('.')[1] ?? '').length)

/** Whole numbers and fractions of them, counted in units of their smallest place. */
function count(first: string, step: string, last: string): { values: string[]; places: number } | string {
  const places = Math.max(decimals(first), decimals(step))
  const scale = 10 ** places
  const units = (text: string) => Math.round(Number(text) * scale)
  const [from, by] = [units(first), units(step)]
  const to = Number(last) * scale + (by > 0 ? 1e-9 : -1e-9)
  if (by === 0) return `invalid Zero increment value: '${step}'`
  const shown = (unit: number) => (places === 0 ? String(unit) : (unit / scale).toFixed(places))
  const size = Math.max(0, Math.floor((to - from) / by) + 1)
  if (size > 20_000_000) return `${size} numbers are more than fit here`
  return {
    values: Array.from({ length: size }, (_, at) => shown(from + at * by)),
    places,
  }
}

/** `seq [-w] [-f format] [-s separator] [first [step]] last` */
export const seq: OwnCommand = {
  name: 'seq',
  run(args, { limits }) {
    const options = read(args)
    if (typeof options === 'string') return failed('seq', options)
    const { numbers, separator, format, equalWidth } = options
    const [one, two, three, extra] = numbers
    if (one === undefined) return failed('seq', 'missing operand')
    if (extra !== undefined) return failed('seq', `extra operand '${extra}'`)
    if (format !== undefined && equalWidth)
      return failed('seq', 'format string may not be specified when printing equal width strings')
    const [first, step, last] =
      two === undefined ? ['1', '1', one] : three === undefined ? [one, '1', two] : [one, two, three]
    const counted = count(first, step, last)
    if (typeof counted === 'string') return failed('seq', counted)
    let { values } = counted
    if (equalWidth) values = padded(values, [first, last], counted.places)
    if (format !== undefined) {
      const parts = FORMAT.exec(format)
      if (parts === null) return failed('seq', `format '${format}' has no % directive`)
      values = values.map((value) => formatted(Number(value), parts))
    }
    const size = values.reduce((sum, value) => sum + value.length + separator.length, 0)
    if (size > limits.maxStringLength)
      return failed('seq', `${size} bytes are more than fit here: use a loop`)
    return done(values.length === 0 ? '' : `${values.join(separator)}\n`)
  },
}

function padded(values: readonly string[], ends: readonly string[], places: number): string[] {
  const shown = [...values, ...ends.map((end) => Number(end).toFixed(places))]
  const width = shown.reduce((most, value) => Math.max(most, value.length), 0)
  return values.map((value) =>
    value.startsWith('-') ? `-${value.slice(1).padStart(width - 1, '0')}` : value.padStart(width, '0'),
  )
}

function formatted(
  value: number,
  [, before = '', flags = '', width = '', precision, letter = 'g', after = '']: RegExpExecArray,
): string {
  const conversion: Conversion = {
    flags,
    width: Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    letter,
  }
  return before.replaceAll('%%', '%') + formatDouble(value, conversion) + after.replaceAll('%%', '%')
}
