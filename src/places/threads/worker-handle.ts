import type { Worker } from 'node:worker_threads'
import { setTimeout } from '../../async/clock.ts'
import { outsideRequests } from '../../async/outside-requests.ts'
import type { LossData } from '../../contract/errors.ts'
import { GATE_COUNT, GATE_RETIRED } from '../../contract/lease.ts'
import { errorCode } from '../../sandbox/error-code.ts'
import { withRemedy } from '../../sandbox/exhaustion.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { WorkerLease } from './worker-lease.ts'

/** Milliseconds that a build may go on which nobody wants any more, where its thread can be ended. */
const stopAllowance = 2000
/** Milliseconds in which the processes end that a thread has started, so that it can reap them. */
const reapAllowance = 15_000
/** Milliseconds in which a lease that computes takes a step. */
const stepAllowance = 500

/** Why the other leases of a worker are lost when one of them is stuck. */
const endedWithStuck: LossData = {
  code: 'WORKER_EXITED',
  message: 'The worker was ended with a call that did not stop.',
}

type WorkerState = 'live' | 'retired' | 'gone'

/**
 * One worker thread as the host sees it, and its leases. Only this class ends the thread. Where it is not `terminable`, it
 * is ended only while none of its native calls is in flight: ending a thread under a native call corrupts the heap. A
 * `terminable` thread may count the processes that it has started: it ends by itself once it has reaped them, or is ended soon.
 */
export class WorkerHandle {
  readonly worker: Worker
  readonly threadId: number
  /** Resolves when the thread has ended. */
  readonly ended: Promise<void>
  readonly #capacity: number
  readonly #terminable: boolean
  readonly #onGone = new Set<(loss: LossData) => void>()
  /** Leases that it serves, or builds a shell for. */
  readonly #held = new Set<WorkerLease>()
  /** Retired leases, until no native call of them is in flight; of a suspect thread, until it ends. */
  readonly #retired = new Set<WorkerLease>()
  #state: WorkerState = 'live'
  #started = false
  #wasRetired = false
  #suspect = false
  /** Looks that still wait for a step of its leases. */
  #looks = 0
  #gate: Int32Array | undefined
  #loss: LossData | undefined

  /**
   * @param capacity - how many leases it may serve at once.
   * @param terminable - whether the thread can be ended at any moment. Default: false.
   */
  constructor(
    worker: Worker,
    { capacity, terminable = false }: { readonly capacity: number; readonly terminable?: boolean },
  ) {
    this.worker = worker
    this.threadId = worker.threadId
    this.#capacity = capacity
    this.#terminable = terminable
    this.ended = new Promise((resolve) => this.onGone(() => resolve()))
    worker.on('error', (error) => {
      this.#loss ??= failureOf(error)
    })
    worker.once('exit', (code) => this.#gone(code))
  }

  get state(): WorkerState {
    return this.#state
  }

  /** True once the thread has loaded its entry. */
  get started(): boolean {
    return this.#started
  }

  /** Why the thread failed or ended before it had loaded its entry, where the host had not retired it. */
  get startFailure(): LossData | undefined {
    return this.#started || this.#wasRetired ? undefined : this.#loss
  }

  /** Leases that it serves, or builds a shell for. */
  get leases(): number {
    return this.#state === 'live' ? this.#held.size : 0
  }

  /** Leases that it can still take: none where it has failed, is not trusted, or a call of a retired lease still runs. */
  get free(): number {
    if (this.#state !== 'live' || this.#loss !== undefined || this.#doubted || this.retired > 0) return 0
    return this.#capacity - this.leases
  }

  /** Retired leases whose native call still runs, or may run. */
  get retired(): number {
    if (this.#state === 'gone') return 0
    let retired = 0
    for (const lease of this.#retired) {
      if (this.#mayBeBusy(lease)) retired += 1
      else if (!lease.building && !this.#doubted) this.#retired.delete(lease)
    }
    const unaccounted = this.#state === 'retired' && this.#inFlight() > 0 ? 1 : 0
    return Math.max(retired, unaccounted)
  }

  /** True while it builds a shell. */
  get building(): boolean {
    return [...this.#held, ...this.#retired].some((lease) => lease.building)
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

  /** Begins a lease, whose shell the thread builds now. */
  take(gate: SharedArrayBuffer, calls: SharedArrayBuffer): WorkerLease {
    const lease = new WorkerLease(gate, calls)
    this.#held.add(lease)
    return lease
  }

  /** A build has ended, with a shell or without; `gate` is the one that all native calls of the thread pass. */
  built(lease: WorkerLease, gate?: SharedArrayBuffer): void {
    lease.built()
    if (gate !== undefined) this.#gate ??= new Int32Array(gate)
    if (this.#state === 'retired') this.#end()
  }

  /** A lease is over, and no native call of it is in flight. */
  release(lease: WorkerLease): void {
    lease.end()
    this.#held.delete(lease)
    this.#endIfUnused()
  }

  /**
   * Retires a lease without an answer of the thread. Other leases of the thread are not affected. While a native call of it runs, or
   * where the thread is not to be trusted, the thread takes no further lease and ends with its last one.
   */
  retireLease(lease: WorkerLease, { suspect }: { readonly suspect: boolean }): void {
    if (!this.#held.delete(lease)) return
    this.#retired.add(lease)
    lease.end()
    if (suspect || this.#capacity === 1) this.#suspect = true
    if (this.#terminable && lease.building) this.#endIfStillBuilding(lease)
    this.#endIfUnused()
  }

  /** Gives the thread no more work: it ends now, or when the native calls in flight have settled. */
  retire(): void {
    if (this.#state !== 'live') return
    this.#state = 'retired'
    this.#wasRetired = true
    this.#end()
  }

  /** Retires the thread and tells its leases why at once, whatever is still in flight. */
  revoke(loss: LossData): void {
    this.#loss ??= loss
    this.retire()
    for (const lease of [...this.#held, ...this.#retired]) lease.lose(loss)
  }

  /** Ends the thread with a call that does not stop, unless another lease takes steps: then the call only waits for it. */
  endIfStuck(): void {
    const others = [...this.#held]
    if (others.length === 0) {
      this.#endStuck()
      return
    }
    const before = others.map(({ steps }) => steps)
    this.#looks += 1
    const end = () => {
      this.#looks -= 1
      const isAlive = others.some(({ steps }, index) => steps !== before[index])
      if (!isAlive && this.#state !== 'gone') this.#endStuck()
    }
    outsideRequests(() => setTimeout(end, stepAllowance)).unref()
  }

  /** Ends the thread with a call of it that does not stop. */
  #endStuck(): void {
    this.revoke(endedWithStuck)
  }

  /** Whether it takes no further lease because of what its leases did, or while that is looked into. */
  get #doubted(): boolean {
    return this.#suspect || this.#looks > 0
  }

  #endIfStillBuilding(lease: WorkerLease): void {
    const end = () => {
      if (lease.building && this.#state !== 'gone') this.#endStuck()
    }
    outsideRequests(() => setTimeout(end, stopAllowance)).unref()
  }

  #gone(code: number): void {
    this.#state = 'gone'
    const loss = this.#loss ?? { code: 'WORKER_EXITED', message: `The worker exited with code ${code}.` }
    this.#loss = loss
    for (const lease of [...this.#held, ...this.#retired]) lease.lose(loss)
    for (const listener of this.#onGone) listener(loss)
    this.#held.clear()
    this.#retired.clear()
    this.#onGone.clear()
  }

  #endIfUnused(): void {
    if (this.leases === 0 && (this.#doubted || this.retired > 0)) this.retire()
  }

  /** Before the first build has ended it is not known what the thread has in flight. */
  #mayBeBusy(lease: WorkerLease): boolean {
    return lease.busy || (lease.building && this.#gate === undefined)
  }

  #end(): void {
    if (this.#gate === undefined) {
      if (this.#terminable || !this.building) void this.worker.terminate()
      return
    }
    Atomics.or(this.#gate, 0, GATE_RETIRED)
    Atomics.notify(this.#gate, 0)
    if (this.#inFlight() === 0) void this.worker.terminate()
    else if (this.#terminable)
      outsideRequests(() => setTimeout(() => void this.worker.terminate(), reapAllowance)).unref()
  }

  #inFlight(): number {
    return this.#gate === undefined ? 0 : Atomics.load(this.#gate, 0) & GATE_COUNT
  }
}

/** How an error of a worker reads as a loss. */
export function failureOf(error: unknown): LossData {
  const message = errorMessage(error)
  const outOfHeap = errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY'
  return outOfHeap
    ? {
        code: 'HEAP_EXHAUSTED',
        message: `The worker ran out of heap: ${message}. Use less memory at once, or raise limits.maxMemory where the sandbox has it.`,
      }
    : { code: 'WORKER_FAILED', message: `The worker failed: ${withRemedy(error)}` }
}
