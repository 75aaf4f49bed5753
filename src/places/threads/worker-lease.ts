import type { LossData } from '../../contract/errors.ts'
import { GATE_COUNT, GATE_RETIRED, LEASE_STEPS } from '../../contract/lease.ts'

/**
 * The right of one session to a shell in a worker, from the start of its build. It has a gate of its own, beside the
 * worker's, so that it can be shut while the other leases of the worker go on.
 */
export class WorkerLease {
  readonly #gate: Int32Array
  readonly #calls: Int32Array
  readonly #onLost = new Set<(loss: LossData) => void>()
  #building = true

  /**
   * @param gate - the one that the native calls of this lease pass.
   * @param calls - the words of its calls.
   */
  constructor(gate: SharedArrayBuffer, calls: SharedArrayBuffer) {
    this.#gate = new Int32Array(gate)
    this.#calls = new Int32Array(calls)
  }

  /** True while the worker builds the shell. */
  get building(): boolean {
    return this.#building
  }

  /** True while a native call of the lease is in flight. */
  get busy(): boolean {
    return (Atomics.load(this.#gate, 0) & GATE_COUNT) > 0
  }

  /** How many steps its calls have taken; it wraps. */
  get steps(): number {
    return Atomics.load(this.#calls, LEASE_STEPS)
  }

  built(): void {
    this.#building = false
  }

  /** The lease is over: no further native call of it begins. */
  end(): void {
    Atomics.or(this.#gate, 0, GATE_RETIRED)
  }

  /** Calls `listener` when the lease is lost: once or twice. */
  onLost(listener: (loss: LossData) => void): void {
    this.#onLost.add(listener)
  }

  /** Tells the session that the worker has ended, or is retired. */
  lose(loss: LossData): void {
    for (const listener of this.#onLost) listener(loss)
  }
}
