import { type Separator, splitText } from './fields.ts'
import { AwkError } from './lexer.ts'
import { fromInput, type Value } from './values.ts'

/** Fields that an assignment may make. */
const MAX_FIELDS = 1_000_000

/** What a record asks of its program. */
export interface RecordRules {
  separator(): Separator
  /** What stands between fields that are joined. */
  joint(): string
  text(value: Value): string
}

/** The record, its fields and `NF`: each follows when another one is assigned. */
export class AwkRecord {
  readonly #rules: RecordRules
  #text = ''
  #whole: Value | undefined = ''
  #pieces: string[] | undefined
  /** Fields that were assigned keep what they were given. */
  readonly #assigned = new Map<number, Value>()
  #joined = true

  constructor(rules: RecordRules) {
    this.#rules = rules
  }

  set(text: string, value?: Value): void {
    this.#text = text
    this.#whole = value
    this.#pieces = undefined
    this.#joined = true
    if (this.#assigned.size > 0) this.#assigned.clear()
  }

  /** Splits by the separator of now, before it changes. */
  settle(): void {
    this.#split()
  }

  #split(): string[] {
    this.#pieces ??= splitText(this.#text, this.#rules.separator()).pieces
    return this.#pieces
  }

  get text(): string {
    if (!this.#joined) {
      this.#text = this.#split().join(this.#rules.joint())
      this.#whole = undefined
      this.#joined = true
    }
    return this.#text
  }

  get count(): number {
    return this.#split().length
  }

  set count(count: number) {
    const pieces = this.#split()
    check(count)
    for (let at = count; at < pieces.length; at += 1) this.#assigned.delete(at + 1)
    while (pieces.length < count) pieces.push('')
    pieces.length = count
    this.#joined = false
  }

  get(number: number): Value {
    if (number === 0) {
      const { text } = this
      this.#whole ??= fromInput(text)
      return this.#whole
    }
    check(number)
    const assigned = this.#assigned.get(number)
    if (assigned !== undefined) return assigned
    return fromInput(this.#split()[number - 1] ?? '')
  }

  assign(number: number, value: Value): void {
    if (number === 0) {
      this.set(this.#rules.text(value), value)
      return
    }
    check(number)
    const pieces = this.#split()
    while (pieces.length < number) pieces.push('')
    pieces[number - 1] = this.#rules.text(value)
    this.#assigned.set(number, value)
    this.#joined = false
  }
}

function check(number: number): void {
  if (number < 0) throw new AwkError(`attempt to access field ${number}`)
  if (!(number <= MAX_FIELDS))
    throw new AwkError(`field ${number}: there are at most ${MAX_FIELDS} fields here`)
}
