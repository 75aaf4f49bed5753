import { clip, demand } from './violation.ts'

/** The values that are possible; undefined stands for no value. */
type Possible = readonly (string | undefined)[]

/** The expected contents of a session by name: one value, or several possible ones after an interrupted call. */
export class Model {
  readonly #values = new Map<string, Possible>()

  /** The names that have or may have a value. */
  get names(): readonly string[] {
    return [...this.#values]
      .filter(([, values]) => values.some((value) => value !== undefined))
      .map(([name]) => name)
  }

  /** The value that was set last. */
  value(name: string): string | undefined {
    return this.possible(name).at(-1)
  }

  possible(name: string): Possible {
    return this.#values.get(name) ?? [undefined]
  }

  set(name: string, value: string | undefined): void {
    this.#values.set(name, [value])
  }

  /** Adds a possible value: a call that sets it may or may not take effect. */
  maySet(name: string, value: string | undefined): void {
    this.#values.set(name, [...this.possible(name), value])
  }

  /** Compares a value that was read. @throws {Violation} where it is none of the possible ones */
  read(name: string, actual: string | undefined): void {
    const possible = this.possible(name)
    demand(possible.includes(actual), () => {
      const wanted = possible.map(show).join(' or ')
      return `${name} holds ${show(actual)}, and should hold ${wanted}`
    })
    this.set(name, actual)
  }

  /** The session may have begun afresh. */
  mayClear(): void {
    for (const name of this.names) this.maySet(name, undefined)
  }

  clear(): void {
    this.#values.clear()
  }
}

function show(value: string | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(clip(value))
}
