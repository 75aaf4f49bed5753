import { type Conversion, formatDouble, pad } from '../text/format-number.ts'
import { type Answer, done, failed, type OwnCommand } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  'from-unit': { type: 'string' },
  'to-unit': { type: 'string' },
  suffix: { type: 'string' },
  field: { type: 'string' },
  format: { type: 'string' },
  padding: { type: 'string' },
  round: { type: 'string' },
  delimiter: { type: 'string', short: 'd' },
  header: { type: 'string' },
  grouping: { type: 'boolean' },
  invalid: { type: 'string' },
} as const

const LETTERS = ['', 'K', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const SCALES = new Set(['none', 'si', 'iec', 'iec-i', 'auto'])

interface Rules {
  readonly from: string
  readonly to: string
  readonly fromUnit: number
  readonly toUnit: number
  readonly suffix: string
  readonly round: string
  readonly format:
    | (Pick<Conversion, 'flags' | 'width' | 'precision'> & { head: string; tail: string })
    | undefined
  readonly padding: number
}

class InvalidNumber extends Error {}

function parse(text: string, { from, suffix, fromUnit }: Rules): { value: number; places: number } {
  const bare = suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
  const match = /^(-?\d+(?:\.(\d+))?)([KkMGTPEZY]?)(i?)$/.exec(bare)
  if (match === null)
    throw new InvalidNumber(
      /^-?\d/.test(bare) ? `invalid suffix in input: '${text}'` : `invalid number: '${text}'`,
    )
  const [, digits = '', fraction = '', letter = '', binary] = match
  const power = LETTERS.indexOf(letter.toUpperCase())
  if (power > 0 && from === 'none')
    throw new InvalidNumber(`rejecting suffix in input: '${text}' (consider using --from)`)
  if (binary === 'i' && from !== 'auto' && from !== 'iec-i')
    throw new InvalidNumber(`invalid suffix in input '${text}': '${letter}i'`)
  if (binary === '' && power > 0 && from === 'iec-i')
    throw new InvalidNumber(`missing 'i' suffix in input: '${text}' (e.g Ki/Mi/Gi)`)
  const base = from === 'si' || (from === 'auto' && binary === '') ? 1000 : 1024
  return { value: Number(digits) * base ** power * fromUnit, places: power > 0 ? 0 : fraction.length }
}

const ROUNDS: Readonly<Record<string, (value: number) => number>> = {
  up: Math.ceil,
  down: Math.floor,
  'from-zero': (value) => (value < 0 ? Math.floor(value) : Math.ceil(value)),
  'towards-zero': Math.trunc,
  nearest: (value) => (value < 0 ? -Math.round(-value) : Math.round(value)),
}

/** Rounded at a place; what is left by the inexact product does not count. */
function rounded(value: number, places: number, how: string): number {
  const scale = 10 ** places
  const exact = Number((value * scale).toPrecision(15))
  return (ROUNDS[how] ?? Math.ceil)(exact) / scale
}

function format(value: number, written: number, rules: Rules): string {
  const { to, round, format: given } = rules
  const asked = given?.precision
  if (to === 'none') return rounded(value, asked ?? written, round).toFixed(asked ?? written)
  const base = to === 'si' ? 1000 : 1024
  let [size, power] = [Math.abs(value), 0]
  while (size >= base && power < LETTERS.length - 1) {
    size /= base
    power += 1
  }
  // Below 10 GNU rounds to one place, also where it shows none.
  const places = asked === undefined ? (size < 10 ? 1 : 0) : Math.min(asked, power * 3)
  let shown = rounded(value < 0 ? -size : size, places, round)
  if (Math.abs(shown) >= base && power < LETTERS.length - 1) {
    shown /= base
    power += 1
  }
  const digits = shown !== 0 && Math.abs(shown) < 10 && power > 0 ? 1 : 0
  const text = formatDouble(shown, { flags: '', width: 0, precision: asked ?? digits, letter: 'f' })
  return `${text}${LETTERS[power]}${to === 'iec-i' && power > 0 ? 'i' : ''}`
}

function convert(word: string, rules: Rules): string {
  const { value, places } = parse(word, rules)
  const text = format(value / rules.toUnit, rules.toUnit === 1 ? places : 0, rules) + rules.suffix
  const { format: given, padding } = rules
  if (given !== undefined) {
    const zeros =
      given.flags.includes('0') && !given.flags.includes('-') ? text.padStart(given.width, '0') : text
    return given.head + pad(zeros, given) + given.tail
  }
  return padding < 0 ? text.padEnd(-padding) : text.padStart(padding)
}

/** Indexes that `2,4-5` and `-` name. */
function fieldsOf(text: string): ((field: number) => boolean) | undefined {
  const ranges = text.split(',').map((part) => /^(\d*)(-?)(\d*)$/.exec(part))
  if (ranges.some((range) => range === null)) return undefined
  return (field) =>
    ranges.some((range) => {
      const [, from = '', dash, to = ''] = range ?? []
      return dash === ''
        ? Number(from) === field
        : field >= Number(from || 1) && field <= Number(to || Infinity)
    })
}

/** One line with its fields converted. Blanks before a field count to its width. */
function convertLine(
  line: string,
  wanted: (field: number) => boolean,
  delimiter: string | undefined,
  rules: Rules,
): string {
  if (delimiter !== undefined)
    return line
      .split(delimiter)
      .map((field, at) => (wanted(at + 1) ? convert(field, rules) : field))
      .join(delimiter)
  let at = 0
  return line.replaceAll(/([ \t]*)([^ \t]+)/g, (whole, blanks: string, field: string) => {
    at += 1
    if (!wanted(at)) return whole
    const text = convert(field, rules)
    // One blank separates; the others are a width that stays.
    const own = at === 1 ? blanks : blanks.slice(1)
    const kept = rules.padding === 0 && own !== '' ? text.padStart(own.length + field.length) : text
    return (at === 1 ? '' : blanks.slice(0, 1)) + kept
  })
}

/** `numfmt --to=iec|si --from=… [number…]`, of stdin's lines where none is given. */
export const numfmt: OwnCommand = {
  name: 'numfmt',
  run(args, context): Answer {
    const read = readOptions(
      'numfmt',
      args.map((arg) => (arg === '--header' ? '--header=1' : arg)),
      OPTIONS,
    )
    if (!isGiven(read)) return read
    const { values, operands } = read
    const [from, to] = [values.get('from') ?? 'none', values.get('to') ?? 'none']
    const round = values.get('round') ?? 'from-zero'
    const wanted = fieldsOf(values.get('field') ?? '1')
    const given = values.get('format')
    const parts = given === undefined ? undefined : /^([^%]*)%([-0']*)(\d*)(?:\.(\d+))?f([^%]*)$/.exec(given)
    const unitOf = (name: string) => {
      const [, digits = '', letter = '', binary] =
        /^(\d*)([KMGTPE]?)(i?)$/.exec(values.get(name) ?? '1') ?? []
      return Number(digits || 1) * (binary === 'i' ? 1024 : 1000) ** LETTERS.indexOf(letter)
    }
    if (!SCALES.has(from)) return failed('numfmt', `invalid argument '${from}' for '--from'`)
    if (!SCALES.has(to) || to === 'auto') return failed('numfmt', `invalid argument '${to}' for '--to'`)
    if (ROUNDS[round] === undefined) return failed('numfmt', `invalid argument '${round}' for '--round'`)
    if (wanted === undefined) return failed('numfmt', 'invalid field range')
    if (parts === null) return failed('numfmt', `invalid format '${given}'`)
    const rules: Rules = {
      from,
      to,
      round,
      fromUnit: unitOf('from-unit'),
      toUnit: unitOf('to-unit'),
      suffix: values.get('suffix') ?? '',
      padding: Number(values.get('padding') ?? 0),
      format: parts && {
        head: parts[1] ?? '',
        flags: parts[2] ?? '',
        width: Number(parts[3] ?? 0),
        precision: parts[4] === undefined ? undefined : Number(parts[4]),
        tail: parts[5] ?? '',
      },
    }
    const input = String(context.stdin)
    if (operands.length === 0 && input === '') return done()
    const lines = operands.length > 0 ? operands : input.replace(/\n$/, '').split('\n')
    return converted(
      lines,
      Number(values.get('header') ?? 0),
      wanted,
      values.get('delimiter'),
      rules,
      values.get('invalid'),
    )
  },
}

function converted(
  lines: readonly string[],
  header: number,
  wanted: (field: number) => boolean,
  delimiter: string | undefined,
  rules: Rules,
  invalid = 'abort',
): Answer {
  let [stdout, stderr] = ['', '']
  for (const [at, line] of lines.entries())
    try {
      stdout += `${at < header ? line : convertLine(line, wanted, delimiter, rules)}\n`
    } catch (error) {
      if (!(error instanceof InvalidNumber)) throw error
      if (invalid === 'abort') return { stdout, stderr: `numfmt: ${error.message}\n`, exitCode: 2 }
      stdout += `${line}\n`
      if (invalid !== 'ignore') stderr += `numfmt: ${error.message}\n`
    }
  return { stdout, stderr, exitCode: stderr === '' || invalid === 'warn' ? 0 : 2 }
}
