import type { WorkerHandle } from './threads/worker-handle.ts'
import type { WorkerLease } from './threads/worker-lease.ts'

/** One opening under way: which place of which worker it has, and whether anybody still wants it. */
export class Ticket {
  /** The gate that the native calls of the lease pass, its build included. */
  readonly gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  #slot: WorkerHandle | undefined
  #seat: WorkerLease | undefined
  #abandoned = false
  readonly #onAbandon: (() => void)[] = []

  /** The worker that took the task, once one has. */
  get slot(): WorkerHandle | undefined {
    return this.#slot
  }

  /** The place it has there. */
  get seat(): WorkerLease | undefined {
    return this.#seat
  }

  /** True once nobody wants the shell. */
  get abandoned(): boolean {
    return this.#abandoned
  }

  assign(slot: WorkerHandle): void {
    this.#slot = slot
    this.#seat = slot.take(this.gate)
    if (this.#abandoned) this.abandon()
  }

  /** The build has ended; `gate` is the worker's. */
  built(gate?: SharedArrayBuffer): void {
    if (this.#seat !== undefined) this.#slot?.built(this.#seat, gate)
  }

  /** Calls `listener` when nobody wants the shell any more. */
  onAbandon(listener: () => void): void {
    this.#onAbandon.push(listener)
    if (this.#abandoned) listener()
  }

  /** Nobody wants the shell any more: the place that it is built in, now or later, is given up. */
  abandon(): void {
    this.#abandoned = true
    for (const listener of this.#onAbandon.splice(0)) listener()
    if (this.#seat !== undefined) this.#slot?.giveUp(this.#seat, { suspect: false })
  }
}
