import { GATE_COUNT, GATE_RETIRED } from '../../src/contract/lease.ts'

/** A native call was refused because its lease or its worker was retired. */
export class RetiredError extends Error {
  override readonly name = 'RetiredError'
}

/** What lets a native call begin, and counts it while it is in flight. */
export interface Gate {
  /** Runs a native call. @throws {RetiredError} when no further one may begin. */
  pass<T>(call: () => Promise<T>): Promise<T>
}

/** The gate of a thread. */
export interface ThreadGate extends Gate {
  /** Calls `listener` once when no further call may begin: what waits for a call, and holds the thread, is to end. */
  onRetire(listener: () => void): void
}

/**
 * The thread's side of the gate that every native call passes. It keeps the count of calls in flight where
 * the host can read it, and ends the thread once a retired worker's last call has settled.
 */
export class NativeGate implements ThreadGate {
  readonly shared = new SharedArrayBuffer(4)
  readonly #word = new Int32Array(this.shared)
  readonly #exit: () => void

  constructor(exit: () => void) {
    this.#exit = exit
  }

  /** The gate of one lease before this one: the host shuts it, and sees its count, alone. */
  forLease(shared: SharedArrayBuffer): Gate {
    const word = new Int32Array(shared)
    return {
      pass: async (call) => {
        enter(word, 'This session has been retired.')
        try {
          return await this.pass(call)
        } finally {
          Atomics.sub(word, 0, 1)
        }
      },
    }
  }

  /** Runs a native call, counted. @throws {RetiredError} when the worker was retired. */
  async pass<T>(call: () => Promise<T>): Promise<T> {
    enter(this.#word, 'This worker has been retired.')
    try {
      return await call()
    } finally {
      if (Atomics.sub(this.#word, 0, 1) === (GATE_RETIRED | 1)) this.#exit()
    }
  }

  onRetire(listener: () => void): void {
    const word = Atomics.load(this.#word, 0)
    if (word & GATE_RETIRED) {
      listener()
      return
    }
    const wait = Atomics.waitAsync(this.#word, 0, word)
    if (wait.async) void wait.value.then(() => this.onRetire(listener))
    else this.onRetire(listener)
  }

  /** Lets no further call begin; ends the thread now, or when the calls in flight have settled. */
  retire(): void {
    const before = Atomics.or(this.#word, 0, GATE_RETIRED)
    Atomics.notify(this.#word, 0)
    if ((before & GATE_COUNT) === 0) this.#exit()
  }
}

function enter(gate: Int32Array, refusal: string): void {
  for (let word = Atomics.load(gate, 0); ; ) {
    if (word & GATE_RETIRED) throw new RetiredError(refusal)
    const seen = Atomics.compareExchange(gate, 0, word, word + 1)
    if (seen === word) return
    word = seen
  }
}
