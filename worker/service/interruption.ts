import { CALL_TO_STOP, GATE_RETIRED, LEASE_STEPS, type LeaseRequest } from '../../src/contract/lease.ts'

/** Where the host says that a call of a lease is to stop, and sees its steps: while the thread computes, too. */
export class Interruption {
  readonly #words: Int32Array
  readonly #gate: Int32Array

  constructor({ calls, gate }: Pick<LeaseRequest, 'calls' | 'gate'>) {
    this.#words = new Int32Array(calls)
    this.#gate = new Int32Array(gate)
  }

  /** True where the call of this number is to stop, or the lease is over. Asked at each step of a call. */
  isOf(call: number | undefined): boolean {
    Atomics.add(this.#words, LEASE_STEPS, 1)
    if ((Atomics.load(this.#gate, 0) & GATE_RETIRED) !== 0) return true
    return call !== undefined && Atomics.load(this.#words, CALL_TO_STOP) === call
  }
}
