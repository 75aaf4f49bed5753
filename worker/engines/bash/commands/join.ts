import { encode } from '../text/bytes.ts'
import { byteOrder } from './comm.ts'
import { type Answer, bytes, failed, type OwnCommand, reason } from './command.ts'
import { readLines } from './lines.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  unpaired: { type: 'string', short: 'a' },
  'only-unpaired': { type: 'string', short: 'v' },
  empty: { type: 'string', short: 'e' },
  'ignore-case': { type: 'boolean', short: 'i' },
  field: { type: 'string', short: 'j' },
  first: { type: 'string', short: '1' },
  second: { type: 'string', short: '2' },
  output: { type: 'string', short: 'o' },
  separator: { type: 'string', short: 't' },
  'check-order': { type: 'boolean' },
  'nocheck-order': { type: 'boolean' },
  header: { type: 'boolean' },
  'zero-terminated': { type: 'boolean', short: 'z' },
} as const

type Row = readonly string[]

interface Table {
  readonly rows: readonly Row[]
  /** Index of the field that is joined on. */
  readonly key: number
}

/** What is written of a pair, or of a row without one. */
class Writer {
  readonly #separator: string
  readonly #empty: string
  readonly #keys: readonly [number, number]
  /** Numbers of file and field; file 0 is the key. */
  readonly #format: readonly (readonly [file: number, field: number])[] | undefined
  output = ''

  constructor(
    separator: string,
    empty: string,
    keys: readonly [number, number],
    format: readonly (readonly [number, number])[] | undefined,
  ) {
    this.#separator = separator
    this.#empty = empty
    this.#keys = keys
    this.#format = format
  }

  write(left: Row | undefined, right: Row | undefined): void {
    const key = left?.[this.#keys[0]] ?? right?.[this.#keys[1]] ?? ''
    const rest = (row: Row | undefined, at: number) => (row ?? []).filter((_, index) => index !== at)
    const fields = this.#format?.map(([file, field]) =>
      file === 0 ? key : (file === 1 ? left : right)?.[field],
    ) ?? [key, ...rest(left, this.#keys[0]), ...rest(right, this.#keys[1])]
    this.output += `${fields.map((field) => field || this.#empty).join(this.#separator)}\n`
  }
}

function formatOf(text: string): (readonly [number, number])[] | undefined {
  const fields = text
    .split(/[ ,\t]+/)
    .filter((part) => part !== '')
    .map((part): readonly [number, number] | undefined => {
      if (part === '0') return [0, 0]
      const [, file, field] = /^([12])\.([1-9]\d*)$/.exec(part) ?? []
      return field === undefined ? undefined : [Number(file), Number(field) - 1]
    })
  return fields.includes(undefined) ? undefined : fields.filter((field) => field !== undefined)
}

/** `join [options] a b`: rows of two files that are sorted by the field they share. */
export const join: OwnCommand = {
  name: 'join',
  async run(args, context): Promise<Answer> {
    const both = args.filter((arg) => /^-a./.test(arg) || arg === '-a').length > 1
    const read = readOptions('join', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    const [left, right, extra] = operands
    if (left === undefined || right === undefined) return failed('join', 'missing operand')
    if (extra !== undefined) return failed('join', `extra operand '${extra}'`)
    const numberOf = (name: string) => Number(values.get(name) ?? values.get('field') ?? '1')
    const keys = [numberOf('first') - 1, numberOf('second') - 1] as const
    if (!keys.every((key) => Number.isInteger(key) && key >= 0)) return failed('join', 'invalid field number')
    const separator = values.get('separator')
    if (separator !== undefined && separator.length > 1 && separator !== '\\0')
      return failed('join', `multi-character tab '${separator}'`)
    const tables: Table[] = []
    for (const [at, path] of [left, right].entries())
      try {
        const { lines } = await readLines(path, context, flags.has('zero-terminated') ? '\0' : '\n')
        tables.push({ rows: lines.map((line) => fieldsOf(line, separator)), key: keys[at] ?? 0 })
      } catch (error) {
        return failed('join', `${path}: ${reason(error)}`)
      }
    const [one, other] = tables
    if (one === undefined || other === undefined) return failed('join', 'missing operand')
    const output = values.get('output')
    const format =
      output === 'auto' ? automatic(one, other) : output === undefined ? undefined : formatOf(output)
    if (output !== undefined && format === undefined)
      return failed('join', `invalid field specifier: '${output}'`)
    const writer = new Writer(separator ?? ' ', values.get('empty') ?? '', keys, format)
    const only = values.get('only-unpaired')
    const unpaired = both ? '12' : `${values.get('unpaired') ?? ''}${only ?? ''}`
    const order = (a: string, b: string) =>
      flags.has('ignore-case') ? byteOrder(a.toLowerCase(), b.toLowerCase()) : byteOrder(a, b)
    const unsorted = merge(one, other, writer, {
      unpaired,
      pairs: only === undefined,
      header: flags.has('header'),
      order,
    })
    const told = flags.has('nocheck-order')
      ? ''
      : unsorted.map((file) => `join: ${operands[file]}: is not sorted\n`).join('')
    if (told === '') return bytes(encode(writer.output))
    return { ...bytes(encode(writer.output), 1), stderr: `${told}join: input is not in sorted order\n` }
  },
}

const automatic = (one: Table, other: Table): (readonly [number, number])[] => [
  [0, 0],
  ...[one, other].flatMap(({ rows: [first = []], key }, file) =>
    first.flatMap((_, at): (readonly [number, number])[] => (at === key ? [] : [[file + 1, at]])),
  ),
]

function fieldsOf(line: string, separator: string | undefined): Row {
  if (separator === undefined)
    return line.split(/[ \t]+/).filter((field, at, all) => field !== '' || (at > 0 && at < all.length - 1))
  return line.split(separator === '\\0' ? '\0' : separator)
}

interface Rules {
  /** The files whose rows without a pair are written: `12`. */
  readonly unpaired: string
  readonly pairs: boolean
  readonly header: boolean
  readonly order: (left: string, right: string) => number
}

/** Writes the joined rows. @returns the indexes of files that are not sorted, where that matters */
function merge(
  one: Table,
  other: Table,
  writer: Writer,
  { unpaired, pairs, header, order }: Rules,
): number[] {
  let [a, b, alone] = [0, 0, false]
  const unsorted = new Set<number>()
  if (header) {
    writer.write(one.rows[0] ?? [], other.rows[0] ?? [])
    a = 1
    b = 1
  }
  const first = a
  const keyAt = ({ rows, key }: Table, at: number) => rows[at]?.[key] ?? ''
  const checked = (table: Table, at: number, file: number): void => {
    if (at > first && at < table.rows.length && order(keyAt(table, at - 1), keyAt(table, at)) > 0)
      unsorted.add(file)
  }
  const endOf = (table: Table, from: number, key: string): number => {
    let at = from
    while (at < table.rows.length && order(keyAt(table, at), key) === 0) at += 1
    return at
  }
  while (a < one.rows.length || b < other.rows.length) {
    const compared =
      a >= one.rows.length ? 1 : b >= other.rows.length ? -1 : order(keyAt(one, a), keyAt(other, b))
    if (compared === 0) {
      const key = keyAt(one, a)
      const [endA, endB] = [endOf(one, a, key), endOf(other, b, key)]
      if (pairs)
        for (const left of one.rows.slice(a, endA))
          for (const right of other.rows.slice(b, endB)) writer.write(left, right)
      a = endA
      b = endB
      checked(one, a, 0)
      checked(other, b, 1)
    } else if (compared < 0) {
      alone = true
      if (unpaired.includes('1')) writer.write(one.rows[a], undefined)
      checked(one, ++a, 0)
    } else {
      alone = true
      if (unpaired.includes('2')) writer.write(undefined, other.rows[b])
      checked(other, ++b, 1)
    }
  }
  return alone ? [...unsorted].sort() : []
}
