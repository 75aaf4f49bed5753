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
  #state: SlotState = 'free'
  #gate: Int32Array | undefined
  #failure: LossData | undefined
  #started = false
  readonly #onGone = new Set<(loss: LossData) => void>()
  /** Resolves when the thread has ended. */
  readonly ended: Promise<void>

  constructor(worker: Worker) {
    this.worker = worker
    this.threadId = worker.threadId
    this.ended = new Promise((resolve) => this.onGone(() => resolve()))
    worker.on('error', (error) => {
      this.#failure ??= failureOf(error)
    })
    worker.once('exit', (code) => {
      this.#state = 'gone'
      const loss = this.#failure ?? { code: 'WORKER_EXITED', message: `The worker exited with code ${code}.` }
      for (const listener of this.#onGone) listener(loss)
      this.#onGone.clear()
    })
  }

  get state(): SlotState {
    return this.#state
  }

  /** True while a retired worker waits for its native calls. */
  get lingers(): boolean {
    return (
      this.#state === 'retired' && this.#gate !== undefined && (Atomics.load(this.#gate, 0) & GATE_COUNT) > 0
    )
  }

  /** True once the thread has loaded its entry. */
  get started(): boolean {
    return this.#started
  }

  /** Says that the thread has loaded its entry. */
  markStarted(): void {
    this.#started = true
  }

  /** Calls `listener` once, when the thread has ended. Returns how to take it back. */
  onGone(listener: (loss: LossData) => void): () => void {
    this.#onGone.add(listener)
    return () => this.#onGone.delete(listener)
  }

  /** Gives the slot to a lease. */
  take(): void {
    if (this.#state === 'free') this.#state = 'taken'
  }

  /** Frees the slot for the next lease. */
  release(): void {
    if (this.#state === 'taken') this.#state = 'free'
  }

  /** Learns the gate that the thread's native calls pass. */
  setGate(gate: SharedArrayBuffer): void {
    this.#gate ??= new Int32Array(gate)
    if (this.#state === 'retired') this.#end()
  }

  /** No more work for this thread: it ends now, or, where native calls are in flight, when they have settled. */
  retire(): void {
    if (this.#state === 'retired' || this.#state === 'gone') return
    this.#state = 'retired'
    this.#end()
  }

  #end(): void {
    if (this.#gate === undefined) return
    const before = Atomics.or(this.#gate, 0, GATE_RETIRED)
    if ((before & GATE_COUNT) === 0) void this.worker.terminate()
  }
}

/** How a worker's `'error'` event, or a task it failed, reads as a loss. */
export function failureOf(error: unknown): LossData {
  const message = error instanceof Error ? error.message : String(error)
  const outOfHeap = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return outOfHeap
    ? { code: 'HEAP_EXHAUSTED', message: `The worker ran out of heap: ${message}` }
    : { code: 'WORKER_FAILED', message: `The worker failed: ${message}` }
}
