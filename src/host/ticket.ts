import type { WorkerSlot } from './worker-slot.ts'

/** One opening under way: which worker took it, and whether anybody still wants it. */
export class Ticket {
  #slot: WorkerSlot | undefined
  #abandoned = false

  /** The worker that took the task, once one has. */
  get slot(): WorkerSlot | undefined {
    return this.#slot
  }

  /** True once nobody wants the shell. */
  get abandoned(): boolean {
    return this.#abandoned
  }

  assign(slot: WorkerSlot): void {
    this.#slot = slot
    slot.take()
    if (this.#abandoned) slot.retire()
  }

  /** Nobody wants the shell any more: the worker that builds it, now or later, is given up. */
  abandon(): void {
    this.#abandoned = true
    this.#slot?.retire()
  }
}
