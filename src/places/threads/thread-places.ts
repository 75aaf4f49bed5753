import { MessageChannel } from 'node:worker_threads'
import { Backoff } from '../../async/backoff.ts'
import { interruptible } from '../../async/interruptible.ts'
import { outsideRequests } from '../../async/outside-requests.ts'
import type { LossData } from '../../contract/errors.ts'
import type { EngineSource, LeaseReply, LeaseRequest } from '../../contract/lease.ts'
import type { ShellRecord } from '../../contract/shell-record.ts'
import { prepareNativeThreads, restoreNativeThreads } from '../../engines/strands/native-threads.ts'
import {
  EngineUnavailableError,
  ProtocolError,
  SandboxClosedError,
  type WorkerLostError,
} from '../../sandbox/errors.ts'
import { lossError } from '../../sandbox/loss-error.ts'
import { rebuildError } from '../../sandbox/rebuild-error.ts'
import { findWorkerEntry } from '../built-entry.ts'
import type { LeasedPlace, WorkerPlace } from '../place.ts'
import { type Level, type LevelFigures, sumFigures } from '../places.ts'
import { Ticket } from '../ticket.ts'
import { IdleWorkers } from './idle-workers.ts'
import type { WorkerHandle } from './worker-handle.ts'
import type { WorkerLease } from './worker-lease.ts'
import { AdoptionError, type PoolSize, WorkerPool } from './worker-pool.ts'

/** Seconds that closing waits for builds under way. */
const closeAllowance = 5

/** A shell that nobody sees: building it has its worker load the engine. */
const blank: ShellRecord = {
  binds: [],
  credentials: [],
  allowedUrls: [],
  env: [],
  limits: {},
  mirror: { maxFiles: 1, maxBytes: 1 },
}

/** How the workers of one isolation level are kept. */
export interface ThreadPlacesOptions extends PoolSize {
  /** Places that are kept ready, if need be in workers without a lease. */
  readonly warm: number
  /** Workers without a lease that are kept. */
  readonly maxIdle: number
  /** Seconds for which they are. */
  readonly idleTimeout: number
  readonly workerUrl: URL | undefined
  readonly engine: EngineFinder
}

/** Where workers find the engine. */
export interface EngineFinder {
  /** @throws {EngineUnavailableError} when there is none for this machine */
  readonly find: () => Promise<EngineSource>
  /** What was found could not be loaded. */
  readonly forget: () => void
}

/** The workers of one isolation level in this process, and the leases of places in them. */
export class ThreadPlaces implements Level {
  readonly #options: ThreadPlacesOptions
  readonly #idle: IdleWorkers
  readonly #backoff = new Backoff()
  readonly #pools = new Set<WorkerPool>()
  readonly #tickets = new Set<Ticket>()
  #pool: WorkerPool | undefined
  #entry: URL | undefined

  constructor(options: ThreadPlacesOptions) {
    this.#options = options
    this.#idle = new IdleWorkers(
      { least: Math.ceil(options.warm / options.capacity), most: options.maxIdle },
      options.idleTimeout,
    )
  }

  get figures(): LevelFigures {
    return sumFigures(this.#slots.map(figuresOf))
  }

  get freePlaces(): number {
    return this.#slots.reduce((free, slot) => free + (slot.started ? slot.free : 0), 0)
  }

  /** Retires idle workers that so many further leases could never need. */
  trim(leases: number): void {
    this.#idle.trim(Math.ceil(leases / this.#options.capacity))
  }

  /**
   * Makes sure of free places: builds so many shells at once that nobody sees, and lets them go.
   *
   * @throws as {@link ThreadPlaces.open} does, for the first that could not be built
   */
  async prepare(count: number): Promise<void> {
    const building = Array.from({ length: count }, () => this.open(blank, new Ticket()))
    const ends = await Promise.allSettled(building)
    for (const end of ends) {
      if (end.status === 'rejected') continue
      end.value.port.close()
      end.value.release()
    }
    await Promise.all(building)
  }

  async open(record: ShellRecord, ticket: Ticket): Promise<WorkerPlace> {
    this.#tickets.add(ticket)
    try {
      const [source, entry] = await Promise.all([
        this.#options.engine.find(),
        this.#findEntry(),
        this.#backoff.wait(),
      ])
      if (ticket.abandoned) throw new SandboxClosedError('The opening of this sandbox was given up.')
      return await this.#build(entry, { engine: source, record }, ticket)
    } catch (error) {
      ticket.abandon()
      if (ticket.slot !== undefined) this.#idle.rest(ticket.slot)
      throw error
    } finally {
      this.#tickets.delete(ticket)
    }
  }

  async close(): Promise<void> {
    this.#idle.clear()
    for (const ticket of this.#tickets) ticket.abandon()
    const slots = this.#slots
    for (const slot of slots) slot.revoke({ code: 'WORKER_EXITED', message: 'The host was closed.' })
    const ending = slots.filter((slot) => slot.building || slot.retired === 0)
    await interruptible(Promise.all(ending.map((slot) => slot.ended)), {
      seconds: closeAllowance,
      onTimeout: () => new Error('A build did not end.'),
    }).catch(() => undefined) // A build that does not end is left to itself, like a command.
  }

  /** The threads that have not ended. */
  get #slots(): readonly WorkerHandle[] {
    return [...this.#pools].flatMap((pool) => pool.slots)
  }

  /** Looks for the file again only while no worker lives that was started from it. */
  async #findEntry(): Promise<URL> {
    if (this.#entry !== undefined && this.#pool !== undefined && this.#pool.slots.length > 0)
      return this.#entry
    this.#entry = await findWorkerEntry(this.#options.workerUrl)
    return this.#entry
  }

  async #build(
    entry: URL,
    request: Omit<LeaseRequest, 'port' | 'gate'>,
    ticket: Ticket,
  ): Promise<WorkerPlace> {
    const { port1: port, port2 } = outsideRequests(() => new MessageChannel())
    let built = false
    prepareNativeThreads()
    try {
      const reply = await this.#adopt(entry, { ...request, port: port2, gate: ticket.gate }, ticket)
      if (!reply.ok) throw rebuildError(reply.error)
      const { slot, seat } = ticket
      if (slot === undefined || seat === undefined) {
        throw new ProtocolError('A worker answered that no task was given to.')
      }
      if (ticket.abandoned) throw new SandboxClosedError('The opening of this sandbox was given up.')
      built = true
      ticket.onAbandon(() => port.close())
      return makePlace(port, reply, { slot, seat, idle: this.#idle })
    } catch (error) {
      if (error instanceof EngineUnavailableError) this.#options.engine.forget()
      throw error
    } finally {
      restoreNativeThreads(built)
      if (!built) port.close()
    }
  }

  async #adopt(entry: URL, request: LeaseRequest, ticket: Ticket): Promise<LeaseReply> {
    const pool = this.#currentPool(entry)
    try {
      const reply = await pool.adopt(request, ticket)
      this.#backoff.succeeded()
      return reply
    } catch (error) {
      if (pool.broken && this.#pool === pool) {
        this.#backoff.failed()
        this.#pool = undefined
      }
      throw error instanceof AdoptionError ? lostWhileOpening(error.loss) : error
    }
  }

  /** A pool of which a worker could not start never starts another: a fresh one takes its place. */
  #currentPool(entry: URL): WorkerPool {
    if (this.#pool !== undefined) return this.#pool
    for (const pool of this.#pools) if (pool.slots.length === 0) this.#pools.delete(pool)
    this.#pool = new WorkerPool(entry, this.#options)
    this.#pools.add(this.#pool)
    return this.#pool
  }
}

interface Holding {
  readonly slot: WorkerHandle
  readonly seat: WorkerLease
  readonly idle: IdleWorkers
}

function makePlace(
  port: LeasedPlace['port'],
  { timeout, allowance, capabilities }: Pick<LeasedPlace, 'timeout' | 'allowance' | 'capabilities'>,
  { slot, seat, idle }: Holding,
): WorkerPlace {
  return {
    port,
    timeout,
    allowance,
    capabilities,
    isBusy: () => slot.state === 'retired' || (slot.state === 'live' && seat.busy),
    onLost: (listener) => {
      if (slot.loss !== undefined && slot.state !== 'live') listener(slot.loss)
      else seat.onLost(listener)
    },
    release: () => {
      slot.release(seat)
      idle.rest(slot)
    },
    giveUp: (how = { suspect: false }) => {
      slot.giveUp(seat, how)
      idle.rest(slot)
    },
  }
}

function figuresOf(slot: WorkerHandle): LevelFigures {
  const { state, leases: leased, retired } = slot
  return {
    cells: 0,
    workers: 1,
    leased,
    idle: state === 'live' && leased === 0 ? 1 : 0,
    retired,
    queued: 0,
  }
}

function lostWhileOpening(loss: LossData): WorkerLostError {
  return lossError(loss, `The worker ended while it opened the sandbox: ${loss.message}`)
}
