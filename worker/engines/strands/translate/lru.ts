import type { SessionFacts } from './translation.ts'

/** Values of the texts that were asked for last. Long texts are not kept. */
class Recent<Value> {
  readonly #values = new Map<string, { readonly value: Value }>()
  readonly #most: number
  readonly #longest: number

  /** @param most - texts. @param longest - characters of a text. */
  constructor(most: number, longest: number) {
    this.#most = most
    this.#longest = longest
  }

  get(text: string, make: (text: string) => Value): Value {
    const known = this.#values.get(text) ?? { value: make(text) }
    if (text.length > this.#longest) return known.value
    this.#values.delete(text)
    this.#values.set(text, known)
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value ?? text)
    return known.value
  }
}

/** Values of texts whose meaning depends on what is known of the session. */
export class RecentOfSession<Value> {
  readonly #recent = new WeakMap<SessionFacts, Recent<Value>>()
  readonly #most: number
  readonly #longest: number

  /** @param most - texts of a session. @param longest - characters of a text. */
  constructor(most: number, longest: number) {
    this.#most = most
    this.#longest = longest
  }

  get(session: SessionFacts, text: string, make: (text: string) => Value): Value {
    const recent = this.#recent.get(session) ?? new Recent<Value>(this.#most, this.#longest)
    this.#recent.set(session, recent)
    return recent.get(text, make)
  }
}
