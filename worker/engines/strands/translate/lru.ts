/** Values of the texts that were asked for last. Long texts are not kept. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>()
  readonly #most: number
  readonly #longest: number

  /** @param most - texts. @param longest - characters of a text. */
  constructor(most: number, longest: number) {
    this.#most = most
    this.#longest = longest
  }

  get(text: string, make: (text: string) => Value): Value {
    const known = this.#values.get(text)
    const value = known ?? make(text)
    if (text.length > this.#longest) return value
    this.#values.delete(text)
    this.#values.set(text, value)
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value ?? text)
    return value
  }
}
