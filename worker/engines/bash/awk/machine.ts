import { AwkError } from './error.ts'
import { found, Regexes } from './regex.ts'
import type { Streams } from './streams.ts'
import { type AwkArray, input, toNumber, toText, UNSET, type Value } from './values.ts'

/** A local that nothing was assigned to: the function that it is given to may make an array of it. */
export class Lazy {
  array: AwkArray | undefined
}

export type Cell = Value | AwkArray | Lazy

/** The variables that awk itself reads, in the order of their places. */
export const SPECIAL = [
  'NF',
  'NR',
  'FNR',
  'FS',
  'OFS',
  'ORS',
  'RS',
  'SUBSEP',
  'RSTART',
  'RLENGTH',
  'FILENAME',
  'ENVIRON',
  'ARGC',
  'ARGV',
  'CONVFMT',
  'OFMT',
  'IGNORECASE',
  'RT',
  'PROCINFO',
] as const
type Special = (typeof SPECIAL)[number]

const PLACES = new Map<string, number>(SPECIAL.map((name, at) => [name, at]))

/** What gives records, one after another. */
interface RecordSource {
  next(machine: Machine): Promise<string | undefined>
  /** Leaves the rest of the file that is read. */
  skipFile(): void
}

/** What bounds a program, so that it ends before the heap does. */
export interface Bounds {
  /** Characters of one text. */
  readonly text: number
  /** Elements of all arrays, and fields of one record. */
  readonly elements: number
}

/** The variables, the record and the files of a program that runs. */
export class Machine {
  readonly globals: Cell[] = SPECIAL.map((name) =>
    /^(?:ENVIRON|ARGV|PROCINFO)$/.test(name) ? new Map() : UNSET,
  )
  readonly regexes = new Regexes()
  readonly streams: Streams
  readonly bounds: Bounds
  /** Called at every turn of a loop, call and record. */
  readonly step: () => void
  #text = ''
  #fields: Value[] | undefined = []
  /** Whether `$0` must be put together of the fields. */
  #stale = false
  /** The files of the command line. */
  main: RecordSource | undefined
  random = mulberry(0)
  seed = 0

  constructor(streams: Streams, bounds: Bounds, step: () => void) {
    this.streams = streams
    this.bounds = bounds
    this.step = step
    for (const [name, value] of Object.entries({
      FS: ' ',
      OFS: ' ',
      ORS: '\n',
      RS: '\n',
      SUBSEP: '\x1c',
      CONVFMT: '%.6g',
      OFMT: '%.6g',
    }))
      this.globals[PLACES.get(name) ?? 0] = value
    for (const name of ['NF', 'NR', 'FNR', 'RSTART', 'ARGC', 'IGNORECASE'])
      this.globals[PLACES.get(name) ?? 0] = 0
    this.globals[PLACES.get('RLENGTH') ?? 0] = -1
  }

  special(name: Special): Value {
    const cell = this.globals[PLACES.get(name) ?? 0]
    return cell === undefined || cell instanceof Map || cell instanceof Lazy ? UNSET : cell
  }

  setSpecial(name: Special, value: Value): void {
    this.globals[PLACES.get(name) ?? 0] = value
  }

  specialArray(name: 'ENVIRON' | 'ARGV' | 'PROCINFO'): AwkArray {
    const cell = this.globals[PLACES.get(name) ?? 0]
    return cell instanceof Map ? cell : new Map()
  }

  text(value: Value): string {
    return typeof value === 'string' ? value : toText(value, toText(this.special('CONVFMT')))
  }

  regex(source: string): RegExp {
    return this.regexes.get(source, toNumber(this.special('IGNORECASE')) !== 0)
  }

  matches(text: string, source: string): boolean {
    return found(this.regex(source), text)
  }

  bounded(text: string): string {
    if (text.length > this.bounds.text)
      throw new AwkError(`a text of more than ${this.bounds.text} characters does not fit here`)
    return text
  }

  /** Adds an element where there is room. */
  put(array: AwkArray, key: string, value: Value): void {
    if (array.size >= this.bounds.elements && !array.has(key))
      throw new AwkError(`an array of more than ${this.bounds.elements} elements does not fit here`)
    array.set(key, value)
  }

  get record(): string {
    if (this.#stale) {
      this.#text = this.bounded(
        (this.#fields ?? []).map((field) => this.text(field)).join(this.text(this.special('OFS'))),
      )
      this.#stale = false
    }
    return this.#text
  }

  set record(text: string) {
    this.#text = this.bounded(text)
    this.#stale = false
    this.#fields = undefined
  }

  get fields(): Value[] {
    this.#fields ??= this.split(this.record, this.text(this.special('FS')), true).map(input)
    return this.#fields
  }

  get count(): number {
    return this.fields.length
  }

  set count(count: number) {
    if (!(count >= 0) || count > this.bounds.elements) throw new AwkError(`NF set to ${count}`)
    const { fields } = this
    while (fields.length < count) fields.push('')
    fields.length = Math.trunc(count)
    this.#stale = true
  }

  field(index: number): Value {
    if (index === 0) return input(this.record)
    if (!(index > 0)) throw new AwkError(`attempt to access field ${index}`)
    return this.fields[Math.trunc(index) - 1] ?? UNSET
  }

  setField(index: number, value: Value): void {
    if (index === 0) {
      this.record = this.text(value)
      return
    }
    if (!(index > 0)) throw new AwkError(`attempt to access field ${index}`)
    if (index > this.count) this.count = index
    this.fields[Math.trunc(index) - 1] = value
    this.#stale = true
  }

  /** Splits as fields are split. @param isRecord - a newline separates fields as well where RS is ''. */
  split(text: string, separator: string, isRecord = false): string[] {
    const paragraphs = isRecord && toText(this.special('RS')) === ''
    const parts = this.#split(text, separator, paragraphs)
    if (parts.length > this.bounds.elements)
      throw new AwkError(`more than ${this.bounds.elements} fields do not fit here`)
    return parts
  }

  #split(text: string, separator: string, paragraphs: boolean): string[] {
    if (separator === ' ') {
      const trimmed = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '')
      return trimmed === '' ? [] : trimmed.split(/[ \t\n]+/)
    }
    if (text === '') return []
    if (separator === '') return [...text]
    if (paragraphs) return this.#pieces(text, `(${separator.length === 1 ? `[${separator}]` : separator})|\n`)
    if (
      separator === '\t' ||
      (separator.length === 1 && separator !== '\\' && toNumber(this.special('IGNORECASE')) === 0)
    )
      return text.split(separator)
    return this.#pieces(text, separator)
  }

  #pieces(text: string, source: string): string[] {
    const parts: string[] = []
    let from = 0
    for (const match of text.matchAll(this.regex(source))) {
      if (match[0] === '') continue
      parts.push(text.slice(from, match.index))
      from = match.index + match[0].length
    }
    parts.push(text.slice(from))
    return parts
  }
}

export function mulberry(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
