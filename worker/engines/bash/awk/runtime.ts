import { PatternError } from '../text/bracket.ts'
import { mendHighBytes } from '../text/byte-escapes.ts'
import { compilePattern, type Pattern } from '../text/pattern.ts'
import { type AwkArray, Cell } from './cells.ts'
import { readWidths, type Separator } from './fields.ts'
import { AwkError } from './lexer.ts'
import type { RecordEnd } from './reader.ts'
import { AwkRecord } from './record.ts'
import type { Streams } from './streams.ts'
import { fromInput, isTrue, numberText, toNumber, type Value } from './values.ts'

/** Expressions that are kept compiled. */
const MAX_PATTERNS = 500

/** `NF` counts the fields when it is read. */
class FieldCount extends Cell {
  readonly #record: AwkRecord

  constructor(record: AwkRecord) {
    super('NF')
    this.#record = record
  }

  override get value(): Value {
    return this.#record.count
  }

  override set value(value: Value) {
    this.#record.count = Math.trunc(toNumber(value))
  }
}

/** A variable whose change concerns the fields of the record that is there: they are split first, by the old one. */
class SplitCell extends Cell {
  readonly #changes: () => void

  constructor(name: string, changes: () => void) {
    super(name)
    this.#changes = changes
  }

  override get value(): Value {
    return super.value
  }

  override set value(value: Value) {
    this.#changes()
    super.value = value
  }
}

/** How large texts and arrays may grow. */
export interface AwkBounds {
  readonly maxStringLength: number
  readonly maxArrayElements: number
}

/** The variables, the record and the expressions of a program that runs. */
export class Runtime {
  readonly globals = new Map<string, Cell>()
  readonly record: AwkRecord
  readonly streams: Streams
  readonly step: () => void
  readonly #patterns = new Map<string, Pattern>()
  #splitBy: 'FS' | 'FPAT' | 'FIELDWIDTHS' = 'FS'

  readonly #bounds: AwkBounds

  constructor(
    streams: Streams,
    step: () => void,
    environment: Readonly<Record<string, string>>,
    bounds: AwkBounds,
  ) {
    this.streams = streams
    this.#bounds = bounds
    this.step = step
    this.record = new AwkRecord({
      separator: () => this.#separator(),
      joint: () => this.text(this.global('OFS').value),
      text: (value) => this.text(value),
    })
    for (const name of ['FS', 'FPAT', 'FIELDWIDTHS'] as const) {
      const changed = () => {
        this.record.settle()
        this.#splitBy = name
      }
      this.globals.set(name, new SplitCell(name, changed))
    }
    this.globals.set('NF', new FieldCount(this.record))
    const first = {
      FS: ' ',
      OFS: ' ',
      ORS: '\n',
      RS: '\n',
      SUBSEP: '\x1c',
      CONVFMT: '%.6g',
      OFMT: '%.6g',
      RT: '',
    }
    for (const [name, value] of Object.entries(first)) this.global(name).value = value
    for (const name of ['NR', 'FNR', 'RSTART']) this.global(name).value = 0
    this.global('RLENGTH').value = -1
    for (const [name, value] of Object.entries(environment))
      this.global('ENVIRON').array.set(name, fromInput(value))
  }

  global(name: string): Cell {
    let cell = this.globals.get(name)
    if (cell === undefined) {
      cell = new Cell(name)
      this.globals.set(name, cell)
    }
    return cell
  }

  /** A text, unless it has grown too long. */
  bounded(text: string): string {
    if (text.length <= this.#bounds.maxStringLength) return text
    throw new AwkError(`a text passes the size limit of ${this.#bounds.maxStringLength} characters`)
  }

  /** Sets an element, unless the array has grown too large. */
  store(array: AwkArray, key: string, value: Value): void {
    if (array.size >= this.#bounds.maxArrayElements && !array.has(key))
      throw new AwkError(`an array passes the size limit of ${this.#bounds.maxArrayElements} elements`)
    array.set(key, value)
  }

  /** A value as text; numbers by `CONVFMT`. */
  text(value: Value): string {
    if (typeof value === 'string') return value
    if (typeof value !== 'number') return value.text
    return Number.isInteger(value) ? numberText(value, '') : numberText(value, this.#format('CONVFMT'))
  }

  /** A value as `print` prints it; numbers by `OFMT`. */
  printed(value: Value): string {
    return typeof value === 'number' ? numberText(value, this.#format('OFMT')) : this.text(value)
  }

  #format(name: string): string {
    const { value } = this.global(name)
    return typeof value === 'string' ? value : '%.6g'
  }

  get ignoresCase(): boolean {
    const cell = this.globals.get('IGNORECASE')
    return cell !== undefined && isTrue(cell.value)
  }

  pattern(text: string): Pattern {
    const ignoreCase = this.ignoresCase
    const key = ignoreCase ? `i${text}` : `c${text}`
    let pattern = this.#patterns.get(key)
    if (pattern === undefined) {
      if (this.#patterns.size >= MAX_PATTERNS) this.#patterns.clear()
      try {
        pattern = compilePattern(mendHighBytes(text), { syntax: 'extended', program: 'awk', ignoreCase })
      } catch (error) {
        if (error instanceof PatternError) throw new AwkError(`invalid regexp: ${error.message}: /${text}/`)
        throw error
      }
      this.#patterns.set(key, pattern)
    }
    return pattern
  }

  /** What splits by a text that a program gives. */
  separatorOf(text: string): Separator {
    if (text === ' ') return { kind: 'blanks' }
    if (text === '') return { kind: 'characters' }
    if (text.length === 1 && text !== '\\' && !(this.ignoresCase && /[a-z]/i.test(text)))
      return { kind: 'text', text }
    return { kind: 'pattern', pattern: this.pattern(text) }
  }

  #separator(): Separator {
    if (this.#splitBy === 'FIELDWIDTHS') return readWidths(this.text(this.global('FIELDWIDTHS').value))
    if (this.#splitBy === 'FPAT')
      return { kind: 'fields', pattern: this.pattern(this.text(this.global('FPAT').value)) }
    const text = this.text(this.global('FS').value)
    const found = this.separatorOf(text)
    // Lines separate the fields of paragraphs too.
    if (this.text(this.global('RS').value) !== '' || found.kind === 'blanks') return found
    if (found.kind === 'characters') return found
    const source = found.kind === 'text' ? `[${found.text.replace('^', '\\^')}]` : text
    return { kind: 'pattern', pattern: this.pattern(`(${source})|\n`) }
  }

  recordEnd(): RecordEnd {
    const text = this.text(this.global('RS').value)
    if (text === '') return 'paragraph'
    return text.length === 1 ? text : this.pattern(text)
  }

  /** The key of an array's element. */
  key(values: readonly Value[]): string {
    const [first = '', ...others] = values.map((value) => this.text(value))
    return others.length === 0 ? first : [first, ...others].join(this.text(this.global('SUBSEP').value))
  }
}
