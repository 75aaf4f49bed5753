/** Values of one label that metrics tell apart. */
const mostValues = 1000

/** Stands for every further value. */
const otherValue = 'other'

/** The values of one label: the first ones, and one for all others. */
export class BoundedValues {
  readonly #seen = new Set<string>()

  /** The value, or what stands for it. An empty text is always told. */
  of(value: string): string {
    if (value === '' || this.#seen.has(value)) return value
    if (this.#seen.size >= mostValues) return otherValue
    this.#seen.add(value)
    return value
  }
}
