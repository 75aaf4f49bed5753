import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Backoff } from '../../async/backoff.ts'
import { interruptible } from '../../async/interruptible.ts'
import { outsideRequests } from '../../async/outside-requests.ts'
import type { ErrorData, LossData } from '../../contract/errors.ts'
import type { EngineSource, LeaseOrder, LeaseReply, LeaseRequest, ThreadPipes } from '../../contract/lease.ts'
import type { EngineNeeds, HostEngine } from '../../engines/host-engine.ts'
import { withLane } from '../../network/proxy-lane.ts'
import { EngineUnavailableError, ProtocolError, type WorkerLostError } from '../../sandbox/errors.ts'
import { lossError } from '../../sandbox/loss-error.ts'
import { openingError } from '../../sandbox/opening-error.ts'
import { rebuildError } from '../../sandbox/rebuild-error.ts'
import { findWorkerEntry } from '../built-entry.ts'
import type { KeptCode } from '../code/kept-code.ts'
import { hostClosed } from '../host-closed.ts'
import { OpenRequest } from '../open-request.ts'
import type { Place } from '../place.ts'
import { type PlaceFigures, type Places, sumFigures } from '../places.ts'
import { processRoom } from '../room/room.ts'
import { IdleWorkers } from './idle-workers.ts'
import type { LeaseNetwork, LeasePass } from './lease-network.ts'
import { PendingLease } from './pending-lease.ts'
import type { WorkerHandle } from './worker-handle.ts'
import { AdoptionError, type PoolSize, WorkerPool } from './worker-pool.ts'

/** Seconds that closing waits for builds under way. */
const closeAllowance = 5
/** Seconds that a command in flight has at a close: the one that a session begins with ends in a millisecond. */
const callAllowance = 0.1

/** Answers after which a thread takes no further lease. */
const failsForGood: ReadonlySet<ErrorData['code']> = new Set(['ENGINE_UNAVAILABLE', 'WORKER_LOST'])

/** How the workers of one isolation level are kept. */
export interface ThreadPlacesOptions
  extends Omit<PoolSize, 'handsOverDescriptors' | 'heapMegabytes' | 'terminable'> {
  /** The engine of the shells. */
  readonly engine: HostEngine
  /** Places that are kept ready, if need be in workers without a lease. */
  readonly warm: number
  /** Workers without a lease that are kept. */
  readonly maxIdle: number
  /** Seconds for which they are. */
  readonly idleTimeout: number
  readonly workerUrl: URL | undefined
  /** The compiled code of what workers load. Default: that which the source of the engine names. */
  readonly code?: KeptCode | undefined
  /** Lets shells out that need a way. Default: they have none. */
  readonly network?: LeaseNetwork | undefined
  /** The proxy through which alone this process reaches the network. Default: none. */
  readonly proxy?: string | undefined
  /** In a cell: pipes by which threads reach its host. Default: they have none. */
  readonly pipes?: ThreadPipes | undefined
}

/** What was ordered of a worker. */
interface Ordered {
  readonly source: EngineSource
  readonly pass: LeasePass | undefined
}

/** The places of one isolation level in worker threads of this process. */
export class ThreadPlaces implements Places {
  readonly #options: ThreadPlacesOptions
  readonly #idle: IdleWorkers
  readonly #backoff = new Backoff()
  readonly #pools = new Set<WorkerPool>()
  readonly #opening = new Set<OpenRequest>()
  /** Of these, those that have room. */
  readonly #admitted = new Set<PendingLease>()
  #pool: WorkerPool | undefined
  #entry: URL | undefined

  constructor(options: ThreadPlacesOptions) {
    this.#options = options
    this.#idle = new IdleWorkers(
      { least: Math.ceil(options.warm / options.capacity), most: options.maxIdle },
      options.idleTimeout,
    )
  }

  get figures(): PlaceFigures {
    return sumFigures(this.#workers.map(figuresOf))
  }

  get freePlaces(): number {
    return this.#workers.reduce((free, worker) => free + (worker.started ? worker.free : 0), 0)
  }

  /** Retires idle workers that so many further leases could never need. */
  trim(leases: number): void {
    this.#idle.trim(Math.ceil(leases / this.#options.capacity))
  }

  /**
   * Makes sure of free places: builds so many shells without a session at once, and releases them.
   *
   * @throws as {@link ThreadPlaces.open} does, for the first that could not be built
   */
  async prepare(count: number): Promise<void> {
    const { engine } = this.#options
    const building = Array.from({ length: count }, () => this.open(new OpenRequest(engine, engine.blank)))
    const ends = await Promise.allSettled(building)
    for (const end of ends) {
      if (end.status === 'rejected') continue
      end.value.endpoint.close()
      end.value.release()
    }
    await Promise.all(building) // Throws what the first that failed has thrown.
  }

  async open(request: OpenRequest): Promise<Place> {
    const pending = new PendingLease(request)
    this.#opening.add(request)
    let leaveRoom: (() => void) | undefined
    try {
      leaveRoom = await processRoom.wait(() => this.#needs, {
        signal: request.signal,
        onAdmitted: () => this.#admitted.add(pending),
      })
      const [entry] = await Promise.all([this.#findEntry(), this.#backoff.wait()])
      request.throwIfCancelled()
      return await this.#build(entry, pending)
    } catch (error) {
      // What cancelled it before is told as it is.
      const failure = request.signal.aborted ? error : openingError(error)
      request.cancel(failure)
      if (pending.worker !== undefined) this.#idle.rest(pending.worker)
      throw failure
    } finally {
      leaveRoom?.()
      this.#opening.delete(request)
      this.#admitted.delete(pending)
    }
  }

  /** Threads have no bound of their own: an opening takes as long as the machine does. */
  boundOf(): undefined {
    return undefined
  }

  async close(): Promise<void> {
    this.#idle.clear()
    for (const request of this.#opening) request.cancel(hostClosed())
    const workers = this.#workers
    for (const worker of workers) worker.revoke({ code: 'HOST_CLOSED', message: 'The host was closed.' })
    const runsCommand = (worker: WorkerHandle) => !worker.building && worker.retired > 0
    await Promise.all([
      endOf(
        workers.filter((worker) => !runsCommand(worker)),
        closeAllowance,
      ),
      endOf(workers.filter(runsCommand), callAllowance),
    ])
    await this.#options.network?.close()
  }

  /** What the next opening takes: little where a worker waits for it, and for those before it that have none yet. */
  get #needs(): EngineNeeds {
    const before = [...this.#admitted].filter(({ worker }) => worker === undefined).length
    return this.#options.engine.needs(this.freePlaces <= before)
  }

  /** The threads that have not ended. */
  get #workers(): readonly WorkerHandle[] {
    return [...this.#pools].flatMap((pool) => pool.workers)
  }

  /** Looks for the file again only while no worker lives that was started from it. */
  async #findEntry(): Promise<URL> {
    if (this.#entry !== undefined && this.#pool !== undefined && this.#pool.workers.length > 0)
      return this.#entry
    this.#entry = await findWorkerEntry(this.#options.workerUrl)
    return this.#entry
  }

  /** Has a worker build a shell: one that is to be started starts while the engine is looked for. */
  async #build(entry: URL, pending: PendingLease): Promise<Place> {
    const { engine, code } = this.#options
    const { request } = pending
    const { port1: port, port2 } = outsideRequests(() => new MessageChannel())
    let built = false
    engine.beginBuild()
    try {
      const [adopted, ordered] = await Promise.allSettled([
        this.#adopt(entry, { port: port2, gate: pending.gate, calls: pending.calls }, pending),
        this.#order(entry, request, port),
      ])
      if (ordered.status === 'rejected') throw ordered.reason
      if (adopted.status === 'rejected') throw adopted.reason
      const { value: reply } = adopted
      const { source, pass } = ordered.value
      const { worker, lease } = pending
      if (!reply.ok) {
        // Node keeps that a module could not be loaded: such a thread would fail again.
        if (lease !== undefined && failsForGood.has(reply.error.code))
          worker?.retireLease(lease, { suspect: true })
        throw rebuildError(reply.error)
      }
      if (worker === undefined || lease === undefined) {
        throw new ProtocolError('A worker answered that no task was given to.')
      }
      request.throwIfCancelled()
      built = true
      code?.opened(source, entry)
      request.onCancel(() => {
        port.close()
        this.#idle.rest(worker)
      })
      const { timeout, allowance, capabilities, pipe } = reply
      return {
        endpoint: port,
        timeout,
        allowance,
        capabilities,
        ...(pipe === undefined ? {} : { pipe }),
        ...(pass === undefined ? {} : { pass: pass.name }),
        interrupt: (call) => pending.stop(call),
        isBusy: () => worker.state === 'retired' || (worker.state === 'live' && lease.busy),
        onLost: (listener) => {
          if (worker.loss !== undefined && worker.state !== 'live') listener(worker.loss)
          else lease.onLost(listener)
        },
        release: () => {
          pass?.revoke()
          worker.release(lease)
          this.#idle.rest(worker)
        },
        retire: ({ suspect = false, end = false } = {}) => {
          pass?.revoke()
          worker.retireLease(lease, { suspect })
          if (end) worker.endIfStuck()
          this.#idle.rest(worker)
        },
      }
    } catch (error) {
      if (error instanceof EngineUnavailableError) engine.forget()
      throw error
    } finally {
      engine.endBuild(built)
      if (!built) port.close()
    }
  }

  /** Says on the port of a lease what is to be built, or that nothing is. Its pass is revoked where the opening fails. */
  async #order(entry: URL, request: OpenRequest, port: MessagePort): Promise<Ordered> {
    const { engine, code, network, proxy, pipes } = this.#options
    const { lane } = request
    try {
      const found = await engine.find()
      const source = (await code?.with(found, entry)) ?? found
      request.throwIfCancelled()
      const pass = await network?.admit(request.record)
      if (pass !== undefined) request.onCancel(pass.revoke)
      request.throwIfCancelled()
      port.postMessage({
        engine: source,
        record: request.record,
        ...(proxy === undefined ? {} : { proxy: withLane(proxy, lane) }),
        ...(pass === undefined ? {} : { way: pass.way }),
        ...(pipes === undefined || lane === undefined ? {} : { lane: { number: lane, pipes } }),
      } satisfies LeaseOrder)
      return { source, pass }
    } catch (error) {
      port.postMessage(undefined)
      throw error
    }
  }

  async #adopt(entry: URL, request: LeaseRequest, pending: PendingLease): Promise<LeaseReply> {
    const pool = this.#currentPool(entry)
    try {
      const reply = await pool.adopt(request, pending)
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
    if (this.#pool?.broken === false) return this.#pool
    for (const pool of this.#pools) if (pool.workers.length === 0) this.#pools.delete(pool)
    this.#pool = new WorkerPool(entry, {
      ...this.#options,
      heapMegabytes: this.#options.engine.heapMegabytes,
      terminable: this.#options.engine.terminable,
      handsOverDescriptors: this.#options.engine.handsOverDescriptors === true,
    })
    this.#pools.add(this.#pool)
    return this.#pool
  }
}

function figuresOf(worker: WorkerHandle): PlaceFigures {
  const { state, leases: leased, retired } = worker
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

/** Waits for the end of threads. One that does not end in time ends by itself, with its build or its command. */
async function endOf(workers: readonly WorkerHandle[], seconds: number): Promise<void> {
  await interruptible(Promise.all(workers.map((worker) => worker.ended)), {
    seconds,
    onTimeout: () => new Error('A thread did not end.'),
  }).catch(() => undefined) // It is not waited for any longer.
}
