import type { MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { LossData } from '../contract/errors.ts'
import type { LeaseReply, LeaseRequest } from '../contract/lease.ts'
import { outsideRequests } from './outside-requests.ts'
import { WorkerSlot } from './worker-slot.ts'

/** V8's heap of a worker, in MiB: room for the largest output the engine may hand over, and no more. */
const resourceLimits = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 16 }

/** A worker could not start, so that the pool it belongs to starts no other. */
export class PoolBrokenError extends Error {
  override readonly name = 'PoolBrokenError'
  readonly loss: LossData

  constructor(loss: LossData) {
    super(loss.message)
    this.loss = loss
  }
}

/**
 * The worker threads of a host, by Piscina, with places of our own count: a task is given to a free worker
 * or to a new one, and a worker stays taken after its task has returned, until its lease is over.
 */
export class WorkerPool {
  readonly #pool: Piscina<LeaseRequest, LeaseReply>
  readonly #slots = new Map<number, WorkerSlot>()
  readonly #failPending = new Set<(error: PoolBrokenError) => void>()
  #broken: PoolBrokenError | undefined

  constructor(entry: URL, maxWorkers: number) {
    const slots = this.#slots
    this.#pool = outsideRequests(
      () =>
        new Piscina({
          filename: entry.href,
          atomics: 'disabled',
          recordTiming: false,
          minThreads: 0,
          maxThreads: maxWorkers,
          idleTimeout: Number.POSITIVE_INFINITY,
          concurrentTasksPerWorker: 1,
          env: {},
          execArgv: [],
          argv: [],
          resourceLimits,
          loadBalancer: (_task, workers) => {
            const worker = workers.find(({ id }) => slots.get(id)?.state === 'free')
            if (worker === undefined) return null
            slots.get(worker.id)?.take()
            return worker
          },
        }),
    )
    // A worker's own listener records why it failed; without one here the failure would end the process.
    this.#pool.on('error', () => undefined)
    this.#pool.on('workerCreate', ({ id }: { id: number }) => {
      this.#watchThreads()
      this.#slots.get(id)?.markStarted()
    })
  }

  /** True once a worker could not start: the pool opens nothing more. */
  get broken(): boolean {
    return this.#broken !== undefined
  }

  /** The threads that have not ended. */
  get slots(): readonly WorkerSlot[] {
    return [...this.#slots.values()]
  }

  /**
   * Has a worker adopt the port. The slot is taken from then on.
   *
   * @throws {PoolBrokenError} when no worker could start
   */
  async adopt(
    request: LeaseRequest & { readonly port: MessagePort },
  ): Promise<{ reply: LeaseReply; slot: WorkerSlot }> {
    if (this.#broken !== undefined) throw this.#broken
    let fail: ((error: PoolBrokenError) => void) | undefined
    const broken = new Promise<never>((_, reject) => {
      fail = reject
      this.#failPending.add(reject)
    })
    try {
      const task = outsideRequests(() => this.#pool.run(request, { transferList: [request.port] }))
      this.#watchThreads()
      const reply = await Promise.race([task, broken])
      const slot = this.#slots.get(reply.threadId)
      if (slot === undefined) throw new Error('The worker ended as it answered.')
      slot.setGate(reply.gate)
      return { reply, slot }
    } finally {
      if (fail !== undefined) this.#failPending.delete(fail)
    }
  }

  #watchThreads(): void {
    for (const worker of this.#pool.threads) {
      if (this.#slots.has(worker.threadId) || worker.threadId < 0) continue
      const slot = new WorkerSlot(worker)
      this.#slots.set(slot.threadId, slot)
      slot.onGone((loss) => this.#forget(slot, loss))
    }
  }

  #forget(slot: WorkerSlot, loss: LossData): void {
    this.#slots.delete(slot.threadId)
    if (slot.started) return
    this.#broken ??= new PoolBrokenError(loss)
    for (const fail of this.#failPending) fail(this.#broken)
    this.#failPending.clear()
  }
}
