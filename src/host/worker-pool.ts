import { FixedQueue, Piscina, type PiscinaTask } from 'piscina'
import type { LossData } from '../contract/errors.ts'
import type { LeaseReply, LeaseRequest } from '../contract/lease.ts'
import { ProtocolError } from '../sandbox/errors.ts'
import { isLeaseReply } from './lease-reply.ts'
import { outsideRequests } from './outside-requests.ts'
import { Ticket } from './ticket.ts'
import { failureOf, WorkerSlot } from './worker-slot.ts'

/**
 * V8's heap of a worker, in MiB. It has room for the largest string there is, twice: an allocation far beyond
 * the limit does not end the worker but the process.
 */
const resourceLimits = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 16 }

/** A worker was lost before it had answered. */
export class AdoptionError extends Error {
  override readonly name = 'AdoptionError'
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
  readonly #pool: Piscina<LeaseRequest, unknown>
  readonly #queue = new FixedQueue()
  readonly #slots = new Map<number, WorkerSlot>()
  readonly #failPending = new Set<(error: AdoptionError) => void>()
  #broken: AdoptionError | undefined

  /** @param maxThreads - more than the host ever asks for: threads that are ending count, too. */
  constructor(entry: URL, maxThreads: number) {
    const slots = this.#slots
    this.#pool = outsideRequests(
      () =>
        new Piscina({
          filename: entry.href,
          atomics: 'disabled',
          recordTiming: false,
          minThreads: 0,
          maxThreads,
          idleTimeout: Number.POSITIVE_INFINITY,
          concurrentTasksPerWorker: 1,
          taskQueue: this.#queue,
          env: {},
          execArgv: [],
          argv: [],
          resourceLimits,
          loadBalancer: (task, workers) => {
            const worker = workers.find(({ id }) => slots.get(id)?.state === 'free')
            const slot = worker && slots.get(worker.id)
            if (worker === undefined || slot === undefined) return null
            ticketOf(task).assign(slot)
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
   * Has a worker adopt the request's port; the ticket says which. The slot is taken from then on.
   *
   * @throws {AdoptionError} when the worker was lost, or none could start
   * @throws {ProtocolError} when the worker answered something that is not of the contract
   */
  async adopt(request: LeaseRequest, ticket: Ticket): Promise<LeaseReply> {
    if (this.#broken !== undefined) throw this.#broken
    let reply: unknown
    try {
      reply = await this.#submit(request, ticket)
    } catch (error) {
      ticket.slot?.adopted()
      throw error instanceof AdoptionError ? error : new AdoptionError(ticket.slot?.loss ?? failureOf(error))
    }
    if (!isLeaseReply(reply)) {
      ticket.slot?.adopted()
      throw new ProtocolError(
        'The worker answered the opening of a sandbox with something that is not of the contract.',
      )
    }
    ticket.slot?.adopted(reply.gate)
    return reply
  }

  async #submit(request: LeaseRequest, ticket: Ticket): Promise<unknown> {
    let fail: ((error: AdoptionError) => void) | undefined
    const broken = new Promise<never>((_, reject) => {
      fail = reject
      this.#failPending.add(reject)
    })
    const task = { ...request, [Piscina.queueOptionsSymbol]: ticket }
    try {
      const run = outsideRequests(() => this.#pool.run(task, { transferList: [request.port] }))
      this.#watchThreads()
      return await Promise.race([run, broken])
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
    if (!slot.started && slot.state !== 'retired') this.#break(loss)
  }

  /** Empties Piscina's queue as well: with tasks left in it, a worker that still starts would spawn others without end. */
  #break(loss: LossData): void {
    this.#broken ??= new AdoptionError(loss)
    while (this.#queue.size > 0) this.#queue.shift()
    for (const fail of this.#failPending) fail(this.#broken)
    for (const slot of this.slots) if (slot.state === 'free') slot.retire()
  }
}

function ticketOf(task: PiscinaTask): Ticket {
  const ticket = Reflect.get(task, Piscina.queueOptionsSymbol)
  if (ticket instanceof Ticket) return ticket
  throw new TypeError('A task of this pool carries its ticket.')
}
