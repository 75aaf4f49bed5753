import { AwkError } from './lexer.ts'
import { UNSET, type Value } from './values.ts'

export type AwkArray = Map<string, Value>

/** A variable: a value, an array, or nothing yet. */
export class Cell {
  #value: Value = UNSET
  #array: AwkArray | undefined
  /** The variable of the caller, which becomes an array when this one does. */
  readonly #origin: Cell | undefined
  readonly name: string

  constructor(name: string, origin?: Cell) {
    this.name = name
    this.#origin = origin
  }

  get value(): Value {
    if (this.#array !== undefined || this.isArray)
      throw new AwkError(`attempt to use array \`${this.name}' in a scalar context`)
    return this.#value
  }

  set value(value: Value) {
    if (this.#array !== undefined)
      throw new AwkError(`attempt to use array \`${this.name}' in a scalar context`)
    this.#value = value
  }

  get isArray(): boolean {
    return this.#array !== undefined || this.#origin?.isArray === true
  }

  get isUnset(): boolean {
    return !this.isArray && this.#value === UNSET
  }

  get array(): AwkArray {
    if (this.#array !== undefined) return this.#array
    if (this.#value !== UNSET) throw new AwkError(`attempt to use scalar \`${this.name}' as an array`)
    this.#array = this.#origin === undefined ? new Map() : this.#origin.array
    return this.#array
  }

  /** What a function gets that is called with this variable. */
  passed(name: string): Cell {
    const cell = new Cell(name, this.isUnset || this.isArray ? this : undefined)
    if (!this.isArray) cell.#value = this.#value
    else cell.#array = this.array
    return cell
  }
}
