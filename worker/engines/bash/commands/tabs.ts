import { encode } from '../text/bytes.ts'
import { bytes, failed, type OwnCommand } from './command.ts'
import { readAll } from './lines.ts'
import { isGiven, readOptions } from './options.ts'

const EXPAND = { initial: { type: 'boolean', short: 'i' }, tabs: { type: 'string', short: 't' } } as const
const UNEXPAND = {
  all: { type: 'boolean', short: 'a' },
  'first-only': { type: 'boolean' },
  tabs: { type: 'string', short: 't' },
} as const

/** The stop after a column, or undefined where there is none. */
type Stops = (column: number) => number | undefined

function stopsOf(text: string): Stops | undefined {
  const stops = text
    .split(/[ ,]+/)
    .filter((part) => part !== '')
    .map(Number)
  if (stops.length === 0 || stops.some((stop) => !Number.isInteger(stop) || stop < 1)) return undefined
  const [only] = stops
  if (stops.length === 1 && only !== undefined) return (column) => column - (column % only) + only
  return (column) => stops.find((stop) => stop > column)
}

function expanded(line: string, stops: Stops, initial: boolean): string {
  let [output, column, leading] = ['', 0, true]
  for (const character of line) {
    if (character === '\t' && (leading || !initial)) {
      const next = stops(column) ?? column + 1
      output += ' '.repeat(next - column)
      column = next
    } else {
      output += character
      column += 1
      leading &&= character === ' ' || character === '\t'
    }
  }
  return output
}

function unexpanded(line: string, stops: Stops, all: boolean): string {
  let [output, blanks, column, leading, pending] = ['', '', 0, true, false]
  for (const character of line) {
    const blank = character === ' ' || character === '\t'
    if (!blank || !(leading || all)) {
      output += blanks + character
      ;[blanks, pending, column] = ['', false, column + 1]
      leading = false
      continue
    }
    const stop = stops(column)
    if (character === '\t') {
      output += '\t'
      ;[blanks, pending, column] = ['', false, stop ?? column + 1]
      continue
    }
    blanks += ' '
    column += 1
    if (stop === column) {
      // One blank before a stop stays a blank, unless more blanks follow.
      const tab = blanks.length > 1 || pending
      output += tab ? '\t' : ''
      if (tab) blanks = ''
      pending = !tab
    } else if (pending && blanks.length === 2) {
      output += '\t'
      blanks = ' '
      pending = false
    }
  }
  return output + blanks
}

/** `expand [-i] [-t stops] [file…]` */
export const expand: OwnCommand = {
  name: 'expand',
  async run(args, context) {
    const read = readOptions(
      'expand',
      args.map((arg) => arg.replace(/^-(\d[\d,]*)$/, '-t$1')),
      EXPAND,
    )
    if (!isGiven(read)) return read
    return converted('expand', read.operands, read.values.get('tabs'), context, (line, stops) =>
      expanded(line, stops, read.flags.has('initial')),
    )
  },
}

/** `unexpand [-a] [-t stops] [file…]` */
export const unexpand: OwnCommand = {
  name: 'unexpand',
  async run(args, context) {
    const read = readOptions(
      'unexpand',
      args.map((arg) => arg.replace(/^-(\d[\d,]*)$/, '-t$1')),
      UNEXPAND,
    )
    if (!isGiven(read)) return read
    const { flags, values } = read
    const all = (flags.has('all') || values.has('tabs')) && !flags.has('first-only')
    return converted('unexpand', read.operands, values.get('tabs'), context, (line, stops) =>
      unexpanded(line, stops, all),
    )
  },
}

async function converted(
  name: string,
  paths: readonly string[],
  tabs: string | undefined,
  context: Parameters<OwnCommand['run']>[1],
  convert: (line: string, stops: Stops) => string,
) {
  const stops = stopsOf(tabs ?? '8')
  if (stops === undefined) return failed(name, `tab size contains invalid character(s): '${tabs}'`)
  const { texts, stderr } = await readAll(name, paths, context)
  const output = texts
    .map(({ text }) => text)
    .join('')
    .split('\n')
    .map((line) => convert(line, stops))
    .join('\n')
  return { ...bytes(encode(output)), stderr, exitCode: stderr === '' ? 0 : 1 }
}
