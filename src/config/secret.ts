import { inspect } from 'node:util'

const HIDDEN = '[secret]'

/** A string that shows itself to no logger: only {@link Secret.reveal} gives it away. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
    Object.freeze(this)
  }

  /** The string itself. Call it where the value is used, never where it is stored or printed. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
