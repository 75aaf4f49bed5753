import { Violation } from './violation.ts'

/** Seconds in which every call must settle: far more than the slowest takes on a busy machine. */
const longest = 120

/** Every call that was started, until it settles. */
export class CallBook {
  started = 0
  settled = 0
  readonly #pending = new Map<number, { readonly what: string; readonly since: number }>()

  /** Calls that have not settled. */
  get inFlight(): number {
    return this.#pending.size
  }

  /** Counts a call, and when it settles. */
  async track<T>(what: string, call: () => Promise<T>): Promise<T> {
    const key = this.started++
    this.#pending.set(key, { what, since: performance.now() })
    try {
      return await call()
    } finally {
      this.#settle(key)
    }
  }

  /** @throws {Violation} where a call has been pending for too long */
  checkPatience(now = performance.now()): void {
    for (const { what, since } of this.#pending.values()) {
      if (now - since > longest * 1000) throw new Violation(`a call has not settled in ${longest} s: ${what}`)
    }
  }

  /** @throws {Violation} where calls are pending, or one settled twice, while nobody makes any */
  checkRest(): void {
    if (this.started === this.settled && this.inFlight === 0) return
    const pending = [...this.#pending.values()].map(({ what }) => what)
    throw new Violation(
      `${this.started} calls were started and ${this.settled} settled: ${pending.join(', ')}`,
    )
  }

  #settle(key: number): void {
    this.#pending.delete(key)
    this.settled += 1
  }
}
