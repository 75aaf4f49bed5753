import { Piscina, type PiscinaTask } from 'piscina'
import { queueMicrotask } from '../../async/clock.ts'
import { outsideRequests } from '../../async/outside-requests.ts'
import type { LossData } from '../../contract/errors.ts'
import type { LeaseReply, LeaseRequest } from '../../contract/lease.ts'
import { ProtocolError } from '../../sandbox/errors.ts'
import { temporaryEnvironment } from '../temporary-names.ts'
import { isLeaseReply } from './lease-reply-schema.ts'
import { OpenQueue } from './open-queue.ts'
import { PendingLease } from './pending-lease.ts'
import { failureOf, WorkerHandle } from './worker-handle.ts'

/** V8's heap for short-lived objects of a worker, in MiB. */
const maxYoungGenerationSizeMb = 16

/** A worker was lost before it had answered. */
export class AdoptionError extends Error {
  override readonly name = 'AdoptionError'
  readonly loss: LossData

  constructor(loss: LossData) {
    super(loss.message)
    this.loss = loss
  }
}

/** How many leases a worker of a pool may serve at once, and how many threads there may be. */
export interface PoolSize {
  readonly capacity: number
  /** More than the host ever asks for: threads that are ending count, too. */
  readonly maxThreads: number
  /** V8's heap of a worker, in MiB. */
  readonly heapMegabytes: number
  /** True where threads can be ended at any moment. */
  readonly terminable: boolean
  /** Whether threads give descriptors that they have opened to sockets. */
  readonly handsOverDescriptors?: boolean
}

/**
 * The worker threads of one isolation level, by Piscina, with places of our own count: a task is given to a worker
 * with a free place or to a new one, and its place stays taken after the task has returned, until its lease is over.
 */
export class WorkerPool {
  readonly #pool: Piscina<LeaseRequest, unknown>
  readonly #queue = new OpenQueue(() => this.#freePlaces())
  readonly #workers = new Map<number, WorkerHandle>()
  /** The openings that have no answer yet, each with what fails it. */
  readonly #unanswered = new Map<PendingLease, (error: AdoptionError) => void>()
  readonly #capacity: number
  readonly #terminable: boolean
  /** Openings that wait for a worker to start: Piscina would start another for each. */
  readonly #held: (() => void)[] = []
  #broken: AdoptionError | undefined

  constructor(
    entry: URL,
    { capacity, maxThreads, heapMegabytes, terminable, handsOverDescriptors = false }: PoolSize,
  ) {
    this.#capacity = capacity
    this.#terminable = terminable
    const handles = this.#workers
    this.#pool = outsideRequests(
      () =>
        new Piscina({
          filename: entry.href,
          atomics: 'disabled',
          recordTiming: false,
          minThreads: 0,
          maxThreads,
          idleTimeout: Number.POSITIVE_INFINITY,
          concurrentTasksPerWorker: capacity,
          taskQueue: this.#queue,
          trackUnmanagedFds: !handsOverDescriptors,
          env: temporaryEnvironment(),
          execArgv: [],
          argv: [],
          resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb },
          loadBalancer: (task, workers) => {
            const worker = fullest(workers, handles)
            const handle = worker && handles.get(worker.id)
            if (worker === undefined || handle === undefined) return null
            pendingOf(task).assign(handle)
            return worker
          },
        }),
    )
    // A worker's own listener records why it failed; without one here the failure would end the process.
    this.#pool.on('error', () => undefined)
    this.#pool.on('workerCreate', ({ id }: { id: number }) => {
      this.#watchThreads()
      this.#workers.get(id)?.markStarted()
      // Piscina gives the new worker what it has queued right after this event.
      queueMicrotask(() => this.#submitHeld())
    })
  }

  /** True once a worker could not start: the pool opens nothing more. */
  get broken(): boolean {
    return this.#broken !== undefined
  }

  /** The threads that have not ended. */
  get workers(): readonly WorkerHandle[] {
    return [...this.#workers.values()]
  }

  /**
   * Has a worker adopt the request's port; `pending` says which. The place is taken from then on.
   *
   * @throws {AdoptionError} when the worker was lost, or none could start
   * @throws {ProtocolError} when the worker answered something that is not of the contract
   */
  async adopt(request: LeaseRequest, pending: PendingLease): Promise<LeaseReply> {
    if (this.#broken !== undefined) throw this.#broken
    let reply: unknown
    try {
      reply = await this.#submit(request, pending)
    } catch (error) {
      pending.built()
      this.#breakIfUnstarted(pending.worker)
      if (error instanceof AdoptionError || error === pending.request.signal.reason) throw error
      throw new AdoptionError(pending.worker?.loss ?? failureOf(error))
    }
    if (!isLeaseReply(reply)) {
      pending.built()
      throw new ProtocolError(
        'The worker answered the opening of a sandbox with something that is not of the contract.',
      )
    }
    pending.built(reply.gate)
    return reply
  }

  async #submit(request: LeaseRequest, pending: PendingLease): Promise<unknown> {
    const { signal } = pending.request
    const reply = new Promise<unknown>((resolve, reject) => {
      this.#unanswered.set(pending, reject)
      const run = () => {
        if (signal.aborted) reject(signal.reason)
        else this.#run(request, pending).then(resolve, reject)
      }
      this.#held.push(run)
    })
    this.#submitHeld()
    try {
      return await reply
    } finally {
      this.#unanswered.delete(pending)
    }
  }

  /** Gives Piscina a task. Where a worker is to be started for it and cannot be, nothing of it remains. */
  async #run(request: LeaseRequest, pending: PendingLease): Promise<unknown> {
    const task = { ...request, [Piscina.queueOptionsSymbol]: pending }
    try {
      const running = outsideRequests(() => this.#pool.run(task, { transferList: [request.port] }))
      this.#watchThreads()
      return await running
    } catch (error) {
      this.#queue.withdraw(pending)
      throw error
    }
  }

  /** Gives Piscina the openings that it gives to a worker at once, and those that a worker is to be started for. */
  #submitHeld(): void {
    while (this.#held.length > 0 && (this.#hasFreePlace() || this.#needsWorker())) this.#held.shift()?.()
  }

  /** True where Piscina gives a task to a worker at once: with a queue it would start another instead. */
  #hasFreePlace(): boolean {
    if (this.#queue.waiting > 0) return false
    for (const worker of this.#workers.values()) if (worker.started && worker.free > 0) return true
    return false
  }

  #needsWorker(): boolean {
    let free = 0
    for (const worker of this.#workers.values()) if (!worker.started) free += worker.free
    return this.#queue.waiting + this.#held.length > free
  }

  #freePlaces(): number {
    let free = 0
    for (const worker of this.#workers.values()) free += worker.free
    return free
  }

  #watchThreads(): void {
    for (const thread of this.#pool.threads) {
      if (this.#workers.has(thread.threadId) || thread.threadId < 0) continue
      const worker = new WorkerHandle(thread, { capacity: this.#capacity, terminable: this.#terminable })
      this.#workers.set(worker.threadId, worker)
      worker.onGone(() => this.#forget(worker))
    }
  }

  #forget(worker: WorkerHandle): void {
    this.#workers.delete(worker.threadId)
    this.#breakIfUnstarted(worker)
    this.#submitHeld()
  }

  #breakIfUnstarted(worker: WorkerHandle | undefined): void {
    const failure = worker?.startFailure
    if (failure !== undefined) this.#break(failure)
  }

  /** Empties Piscina's queue as well: with tasks left in it, a worker that still starts would spawn others without end. */
  #break(loss: LossData): void {
    this.#broken ??= new AdoptionError(loss)
    this.#held.length = 0
    this.#queue.clear()
    for (const [{ worker }, fail] of this.#unanswered) if (worker?.started !== true) fail(this.#broken)
    for (const worker of this.workers) if (worker.leases === 0) worker.retire()
  }
}

/** The worker with the fewest free places that has one: the others may become idle, and end. */
function fullest<W extends { readonly id: number }>(
  workers: readonly W[],
  handles: ReadonlyMap<number, WorkerHandle>,
): W | undefined {
  let best: W | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const worker of workers) {
    const free = handles.get(worker.id)?.free ?? 0
    if (free === 0 || free >= fewest) continue
    best = worker
    fewest = free
  }
  return best
}

function pendingOf(task: PiscinaTask): PendingLease {
  const pending = Reflect.get(task, Piscina.queueOptionsSymbol)
  if (pending instanceof PendingLease) return pending
  throw new TypeError('A task of this pool carries its pending lease.')
}
