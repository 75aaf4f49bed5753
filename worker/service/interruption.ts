import { CALL_TO_STOP, GATE_RETIRED, LEASE_COMPUTES, type LeaseRequest } from '../../src/contract/lease.ts'

/** The lease of this thread that took the last step: one that blocks the thread is this one. */
let computing: Interruption | undefined

/**
 * Where the host says that a call of a lease is to stop, and reads which lease computes: both can be read while the
 * thread is blocked.
 */
export class Interruption {
  readonly #words: Int32Array
  readonly #gate: Int32Array

  constructor({ calls, gate }: Pick<LeaseRequest, 'calls' | 'gate'>) {
    this.#words = new Int32Array(calls)
    this.#gate = new Int32Array(gate)
  }

  /** A call begins, or, undefined, none runs any more. */
  runs(call: number | undefined): void {
    if (call !== undefined) this.#steps()
    else if (computing === this) this.#leaves()
  }

  /** True where the call of this number is to stop, or the lease is over. Asked at each step of a call. */
  isOf(call: number | undefined): boolean {
    if (computing !== this && call !== undefined) this.#steps()
    if ((Atomics.load(this.#gate, 0) & GATE_RETIRED) !== 0) return true
    return call !== undefined && Atomics.load(this.#words, CALL_TO_STOP) === call
  }

  #steps(): void {
    if (computing !== undefined) computing.#leaves()
    computing = this
    Atomics.store(this.#words, LEASE_COMPUTES, 1)
  }

  #leaves(): void {
    computing = undefined
    Atomics.store(this.#words, LEASE_COMPUTES, 0)
  }
}
