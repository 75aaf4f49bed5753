/** A variable of this process's environment that is set for a while, unless the user has set it. */
export class BorrowedVariable {
  readonly #name: string
  readonly #value: string
  #set = false

  constructor(name: string, value: string) {
    this.#name = name
    this.#value = value
  }

  set(): void {
    if (process.env[this.#name] !== undefined) return
    process.env[this.#name] = this.#value
    this.#set = true
  }

  /** Takes it out again, so that child processes do not inherit it; what the user has set meanwhile stays. */
  unset(): void {
    if (this.#set && process.env[this.#name] === this.#value) delete process.env[this.#name]
    this.#set = false
  }
}
