import type { Program } from './traits.ts'

/** Characters of all scripts that are kept. */
const most = 4_000_000

/** Scripts that were read, by their text. The oldest go first. */
export class KeptPrograms {
  readonly #programs = new Map<string, Program>()
  #characters = 0

  get(text: string): Program | undefined {
    return this.#programs.get(text)
  }

  /** Keeps a program that was not there, unless its text is very long. */
  set(text: string, program: Program): void {
    if (text.length > most / 4) return
    this.#programs.set(text, program)
    this.#characters += text.length
    for (const [oldest] of this.#programs) {
      if (this.#characters <= most) break
      this.#programs.delete(oldest)
      this.#characters -= oldest.length
    }
  }
}
