/** The lines of one text or of several ones, one after the other. */
export class SedInput {
  readonly #parts: readonly {
    readonly name: string
    readonly lines: readonly string[]
    readonly ended: boolean
  }[]
  #part = 0
  #at = 0
  line: number
  name = '-'
  /** Whether the line that was read had its end. */
  ended = true

  constructor(parts: readonly { name: string; text: string }[], end: string, line = 0) {
    this.line = line
    this.#parts = parts.map(({ name, text }) => {
      const lines = text.split(end)
      const ended = lines.at(-1) === ''
      if (ended) lines.pop()
      return { name, lines, ended }
    })
  }

  get hasNext(): boolean {
    while (this.#part < this.#parts.length && this.#at >= (this.#parts[this.#part]?.lines.length ?? 0)) {
      this.#part += 1
      this.#at = 0
    }
    return this.#part < this.#parts.length
  }

  get isLast(): boolean {
    return !this.hasNext
  }

  next(): string | undefined {
    if (!this.hasNext) return undefined
    const part = this.#parts[this.#part]
    const line = part?.lines[this.#at]
    this.#at += 1
    this.line += 1
    this.name = part?.name ?? '-'
    this.ended = part?.ended === true || this.#at < (part?.lines.length ?? 0)
    return line
  }
}
