import { GATE_COUNT, GATE_RETIRED } from '../src/contract/lease.ts'

/** A native call was refused because the worker has been retired. */
export class RetiredError extends Error {
  override readonly name = 'RetiredError'
}

/**
 * The thread's side of the gate that every native call passes. It keeps the count of calls in flight where
 * the host can read it, and ends the thread once a retired worker's last call has settled.
 */
export class NativeGate {
  readonly shared = new SharedArrayBuffer(4)
  readonly #word = new Int32Array(this.shared)
  readonly #exit: () => void

  constructor(exit: () => void) {
    this.#exit = exit
  }

  /** Runs a native call, counted. @throws {RetiredError} when the worker was retired. */
  async pass<T>(call: () => Promise<T>): Promise<T> {
    this.#enter()
    try {
      return await call()
    } finally {
      if (Atomics.sub(this.#word, 0, 1) === (GATE_RETIRED | 1)) this.#exit()
    }
  }

  /** Lets no further call begin; ends the thread now, or when the calls in flight have settled. */
  retire(): void {
    const before = Atomics.or(this.#word, 0, GATE_RETIRED)
    if ((before & GATE_COUNT) === 0) this.#exit()
  }

  #enter(): void {
    for (let word = Atomics.load(this.#word, 0); ; ) {
      if (word & GATE_RETIRED) throw new RetiredError('This worker has been retired.')
      const seen = Atomics.compareExchange(this.#word, 0, word, word + 1)
      if (seen === word) return
      word = seen
    }
  }
}
