import { Violation } from './violation.ts'

/** Seconds in which every call must settle; far more than the slowest takes on a busy machine. */
const longest = 120

/** Records every call from its start until it settles. */
export class CallLedger {
  started = 0
  settled = 0
  readonly #pending = new Map<number, { readonly what: string; readonly since: number }>()

  /** Number of calls that have not settled. */
  get inFlight(): number {
    return this.#pending.size
  }

  /** Makes a call and records when it settles. */
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
  checkOverdue(now = performance.now()): void {
    for (const { what, since } of this.#pending.values()) {
      if (now - since > longest * 1000) throw new Violation(`a call has not settled in ${longest} s: ${what}`)
    }
  }

  /** To be called while no actor makes calls. @throws {Violation} where a call is pending or settled twice */
  checkIdle(): void {
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
