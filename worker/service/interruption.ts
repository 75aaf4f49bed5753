import { GATE_RETIRED, type LeaseRequest } from '../../src/contract/lease.ts'

/** Where the host says that a call of a lease is to stop: it can be read while the thread computes. */
export class Interruption {
  readonly #call: Int32Array
  readonly #gate: Int32Array

  constructor({ interrupt, gate }: Pick<LeaseRequest, 'interrupt' | 'gate'>) {
    this.#call = new Int32Array(interrupt)
    this.#gate = new Int32Array(gate)
  }

  /** True where the call of this number is to stop, or the lease is over. */
  isOf(call: number | undefined): boolean {
    if ((Atomics.load(this.#gate, 0) & GATE_RETIRED) !== 0) return true
    return call !== undefined && Atomics.load(this.#call, 0) === call
  }
}
