import { CALL_TO_STOP } from '../../contract/lease.ts'
import type { OpenRequest } from '../open-request.ts'
import type { WorkerHandle } from './worker-handle.ts'
import type { WorkerLease } from './worker-lease.ts'

/** A lease that is being opened: the worker that took it, once one has, and its gate. */
export class PendingLease {
  /** The gate that the native calls of the lease pass, its build included. */
  readonly gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  /** Which call is to stop, and how many steps were taken. */
  readonly calls = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
  readonly request: OpenRequest
  #worker: WorkerHandle | undefined
  #lease: WorkerLease | undefined

  constructor(request: OpenRequest) {
    this.request = request
  }

  /** The worker that took the task, once one has. */
  get worker(): WorkerHandle | undefined {
    return this.#worker
  }

  get lease(): WorkerLease | undefined {
    return this.#lease
  }

  /** A worker takes the task. */
  assign(worker: WorkerHandle): void {
    const lease = worker.take(this.gate, this.calls)
    this.#worker = worker
    this.#lease = lease
    this.request.onCancel(() => worker.retireLease(lease, { suspect: false }))
  }

  /** Has the engine stop a call, if it runs. */
  stop(call: number): void {
    Atomics.store(new Int32Array(this.calls), CALL_TO_STOP, call)
  }

  /** The build has ended; `gate` is the worker's. */
  built(gate?: SharedArrayBuffer): void {
    if (this.#lease !== undefined) this.#worker?.built(this.#lease, gate)
  }
}
