import { clip, demand } from './violation.ts'

/** What a value may be; undefined: there is none. */
type Possible = readonly (string | undefined)[]

/** What a session must hold, by name: one value, or one of several where a call was interrupted that sets it. */
export class Model {
  readonly #values = new Map<string, Possible>()

  /** Every name that has, or may have, a value. */
  get names(): readonly string[] {
    return [...this.#values]
      .filter(([, values]) => values.some((value) => value !== undefined))
      .map(([name]) => name)
  }

  /** The value there surely is. */
  value(name: string): string | undefined {
    return this.possible(name).at(-1)
  }

  possible(name: string): Possible {
    return this.#values.get(name) ?? [undefined]
  }

  set(name: string, value: string | undefined): void {
    this.#values.set(name, [value])
  }

  /** It was, or was not, set. */
  maySet(name: string, value: string | undefined): void {
    this.#values.set(name, [...this.possible(name), value])
  }

  /** @throws {Violation} where what was read is none of what may be there */
  read(name: string, actual: string | undefined): void {
    const possible = this.possible(name)
    demand(possible.includes(actual), () => {
      const wanted = possible.map(show).join(' or ')
      return `${name} holds ${show(actual)}, and should hold ${wanted}`
    })
    this.set(name, actual)
  }

  clear(): void {
    this.#values.clear()
  }
}

function show(value: string | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(clip(value))
}
