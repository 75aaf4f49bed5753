import type { Frame } from './code.ts'
import { AwkError } from './error.ts'
import { type Cell, Lazy, SPECIAL } from './machine.ts'
import { type AwkArray, toNumber, UNSET, type Value } from './values.ts'

/** Where the names of a program have their places. */
export class Scope {
  readonly #globals = new Map<string, number>(SPECIAL.map((name, at) => [name, at]))
  /** The parameters of the function that is compiled. */
  locals: readonly string[] = []

  /** The place of a global of that name. */
  global(name: string): number {
    const known = this.#globals.get(name)
    if (known !== undefined) return known
    const place = this.#globals.size
    this.#globals.set(name, place)
    return place
  }

  place(name: string): Place {
    const local = this.locals.indexOf(name)
    return local < 0 ? new Place(name, this.global(name), false) : new Place(name, local, true)
  }
}

/** A variable of a program. */
export class Place {
  readonly #name: string
  readonly #index: number
  readonly #isLocal: boolean

  constructor(name: string, index: number, isLocal: boolean) {
    this.#name = name
    this.#index = index
    this.#isLocal = isLocal
  }

  #cells(frame: Frame): Cell[] {
    return this.#isLocal ? frame.locals : frame.machine.globals
  }

  get(frame: Frame): Value {
    if (this.#name === 'NF' && !this.#isLocal) return frame.machine.count
    const cell = this.#cells(frame)[this.#index]
    if (cell === undefined) return UNSET
    if (cell instanceof Lazy) {
      if (cell.array === undefined) return UNSET
    } else if (!(cell instanceof Map)) return cell
    throw new AwkError(`attempt to use array ${this.#name} in a scalar context`)
  }

  set(frame: Frame, value: Value): void {
    if (this.#name === 'NF' && !this.#isLocal) {
      frame.machine.count = toNumber(value)
      return
    }
    const cells = this.#cells(frame)
    const cell = cells[this.#index]
    if (cell instanceof Map || (cell instanceof Lazy && cell.array !== undefined))
      throw new AwkError(`attempt to use array ${this.#name} in a scalar context`)
    cells[this.#index] = value
  }

  /** How many elements it has; undefined where it is no array. */
  size(frame: Frame): number | undefined {
    const cell = this.#cells(frame)[this.#index]
    return cell instanceof Map ? cell.size : cell instanceof Lazy ? cell.array?.size : undefined
  }

  array(frame: Frame): AwkArray {
    const cells = this.#cells(frame)
    const cell = cells[this.#index] ?? UNSET
    if (cell instanceof Map) return cell
    if (cell instanceof Lazy) {
      cell.array ??= new Map()
      return cell.array
    }
    if (cell !== UNSET) throw new AwkError(`attempt to use scalar ${this.#name} as an array`)
    const array: AwkArray = new Map()
    cells[this.#index] = array
    return array
  }

  /** What a function that is called with it gets. */
  passed(frame: Frame): Cell {
    const cells = this.#cells(frame)
    const cell = cells[this.#index] ?? UNSET
    if (cell !== UNSET) return this.#name === 'NF' && !this.#isLocal ? frame.machine.count : cell
    const lazy = new Lazy()
    cells[this.#index] = lazy
    return lazy
  }
}
