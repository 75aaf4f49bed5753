import type { Worker } from 'node:worker_threads'
import type { LossData } from '../contract/errors.ts'
import { GATE_COUNT, GATE_RETIRED } from '../contract/lease.ts'

type SlotState = 'free' | 'taken' | 'retired' | 'gone'

/**
 * One worker thread as the host sees it: free, taken by a lease, retired, or gone. It alone ends the thread,
 * and only while none of its native calls is in flight: ending one under a native call corrupts the heap.
 */
export class WorkerSlot {
  readonly worker: Worker
  readonly threadId: number
  /** Resolves when the thread has ended. */
  readonly ended: Promise<void>
  readonly #onGone = new Set<(loss: LossData) => void>()
  #onRevoked: ((loss: LossData) => void) | undefined
  #state: SlotState = 'free'
  #started = false
  #adopting = false
  #gate: Int32Array | undefined
  #loss: LossData | undefined

  constructor(worker: Worker) {
    this.worker = worker
    this.threadId = worker.threadId
    this.ended = new Promise((resolve) => this.onGone(() => resolve()))
    worker.on('error', (error) => {
      this.#loss ??= failureOf(error)
    })
    worker.once('exit', (code) => {
      this.#state = 'gone'
      this.#loss ??= { code: 'WORKER_EXITED', message: `The worker exited with code ${code}.` }
      for (const listener of this.#onGone) listener(this.#loss)
      this.#onGone.clear()
    })
  }

  get state(): SlotState {
    return this.#state
  }

  /** True once the thread has loaded its entry. */
  get started(): boolean {
    return this.#started
  }

  /** True while the thread builds its first shell: what it has in flight is not known. */
  get adopting(): boolean {
    return this.#adopting
  }

  /** True while a retired worker waits for its native calls. */
  get lingers(): boolean {
    return (
      this.#state === 'retired' &&
      (this.#gate === undefined ? this.#adopting : this.#inFlight(this.#gate) > 0)
    )
  }

  /** Why the thread failed or ended, if it did. */
  get loss(): LossData | undefined {
    return this.#loss
  }

  /** Calls `listener` once, when the thread has ended. */
  onGone(listener: (loss: LossData) => void): void {
    this.#onGone.add(listener)
  }

  markStarted(): void {
    this.#started = true
  }

  /** Gives the slot to a lease, whose shell the thread builds now. */
  take(): void {
    if (this.#state === 'free') this.#state = 'taken'
    this.#adopting = true
  }

  /** The build has ended, for better or worse; `gate` is the one that the thread's native calls pass. */
  adopted(gate?: SharedArrayBuffer): void {
    this.#adopting = false
    if (gate !== undefined) this.#gate ??= new Int32Array(gate)
    if (this.#state === 'retired') this.#end()
  }

  /** Frees the slot for the next lease. */
  release(): void {
    if (this.#state === 'taken') this.#state = 'free'
  }

  /** No more work for this thread: it ends now, or, where native calls are in flight, when they have settled. */
  retire(): void {
    if (this.#state === 'retired' || this.#state === 'gone') return
    this.#state = 'retired'
    this.#end()
  }

  /** Retires the thread and tells its lease why at once, whatever is still in flight. */
  revoke(loss: LossData): void {
    this.#loss ??= loss
    this.retire()
    this.#onRevoked?.(loss)
  }

  /** Calls `listener` when the lease of this slot is revoked, or the thread has ended: once or twice. */
  onLost(listener: (loss: LossData) => void): void {
    this.#onRevoked = listener
    this.onGone(listener)
  }

  #end(): void {
    if (this.#gate === undefined) {
      if (!this.#adopting) void this.worker.terminate()
      return
    }
    Atomics.or(this.#gate, 0, GATE_RETIRED)
    if (this.#inFlight(this.#gate) === 0) void this.worker.terminate()
  }

  #inFlight(gate: Int32Array): number {
    return Atomics.load(gate, 0) & GATE_COUNT
  }
}

/** How an error of a worker reads as a loss. */
export function failureOf(error: unknown): LossData {
  const message = error instanceof Error ? error.message : String(error)
  const outOfHeap = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return outOfHeap
    ? { code: 'HEAP_EXHAUSTED', message: `The worker ran out of heap: ${message}` }
    : { code: 'WORKER_FAILED', message: `The worker failed: ${message}` }
}
