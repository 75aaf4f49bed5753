import { MessageChannel } from 'node:worker_threads'
import type { LossData } from '../contract/errors.ts'
import type { LeaseReply, LeaseRequest } from '../contract/lease.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import {
  EngineUnavailableError,
  HostSaturatedError,
  ProtocolError,
  SandboxClosedError,
  SessionLoss,
  WorkerLostError,
} from '../sandbox/errors.ts'
import { type Interruption, interruptible } from '../sandbox/interruptible.ts'
import { rebuildError } from '../sandbox/rebuild-error.ts'
import { Backoff } from './backoff.ts'
import { prepareNativeStack, restoreNativeStack } from './engine/native-stack.ts'
import { forgetEngine, resolveEngine } from './engine/resolve-engine.ts'
import { IdleWorkers } from './idle-workers.ts'
import type { ResolvedHostOptions, ShellHostOptions } from './options.ts'
import { outsideRequests } from './outside-requests.ts'
import type { Place } from './place.ts'
import { resolveHostOptions } from './resolve-options.ts'
import { Ticket } from './ticket.ts'
import { findWorkerEntry } from './worker-entry.ts'
import { AdoptionError, WorkerPool } from './worker-pool.ts'
import type { WorkerSlot } from './worker-slot.ts'

/** Seconds that closing waits for builds under way. */
const closeAllowance = 5

/** How many worker threads a host has, and what they do. */
export interface HostStats {
  /** Threads that have not ended. */
  readonly workers: number
  /** Workers that serve a sandbox. */
  readonly leased: number
  /** Workers kept for the next sandbox. */
  readonly idle: number
  /** Workers given up whose native call still runs. */
  readonly lingering: number
}

/**
 * Leases worker threads to sandboxes, one worker a sandbox, and takes them back. A host is not collected
 * with its idle workers: {@link ShellHost.close | close} it.
 */
export class ShellHost {
  readonly #options: ResolvedHostOptions
  readonly #idle: IdleWorkers
  readonly #backoff = new Backoff()
  readonly #pools = new Set<WorkerPool>()
  readonly #tickets = new Set<Ticket>()
  readonly #closed = new AbortController()
  #pool: WorkerPool | undefined
  #closing: Promise<void> | undefined

  /** @throws {SandboxConfigError} naming the option that is not valid */
  constructor(options: ShellHostOptions = {}) {
    this.#options = resolveHostOptions(options)
    this.#idle = new IdleWorkers(this.#options.maxIdleWorkers, this.#options.idleWorkerTimeout)
  }

  /** Figures of this moment. */
  stats(): HostStats {
    const slots = this.#slots()
    const inState = (state: WorkerSlot['state']) => slots.filter((slot) => slot.state === state).length
    return {
      workers: slots.length,
      leased: inState('taken'),
      idle: inState('free'),
      lingering: slots.filter((slot) => slot.lingers).length,
    }
  }

  /**
   * Ends every worker that runs no native call, and each of the others when its call has settled. Sandboxes
   * of this host are lost. Idempotent.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** The same as {@link ShellHost.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * Opens a shell in a worker of its own.
   *
   * @internal
   * @throws {HostSaturatedError} when there is no place, or none in time
   * @throws {SandboxConfigError} when the engine refuses the record
   * @throws {EngineUnavailableError} when there is no engine for this machine
   * @throws {WorkerLostError} when the worker ended as it opened
   */
  async place(record: ShellRecord, signal?: AbortSignal): Promise<Place> {
    this.#admit()
    const ticket = new Ticket()
    const opening = this.#open(record, ticket)
    const { openTimeout } = this.#options
    try {
      return await this.#untilClosed(opening, {
        seconds: openTimeout,
        signal,
        onTimeout: () =>
          new HostSaturatedError(`Opening a sandbox took longer than openTimeout (${openTimeout} s).`),
        onAbort: () => new SandboxClosedError('The sandbox was closed while it opened.'),
      })
    } catch (error) {
      ticket.abandon()
      throw error
    }
  }

  #untilClosed<T>(opening: Promise<T>, interruption: Interruption): Promise<T> {
    return interruptible(interruptible(opening, interruption), {
      signal: this.#closed.signal,
      onAbort: () => hostClosed(),
    })
  }

  #admit(): void {
    if (this.#closing !== undefined) throw hostClosed()
    const { maxWorkers, maxRetired } = this.#options
    const slots = this.#slots()
    const lingering = slots.filter((slot) => slot.lingers).length
    const starting = [...this.#tickets].filter((ticket) => ticket.slot === undefined).length
    const busy = slots.filter((slot) => slot.state === 'taken').length + lingering
    if (lingering >= maxRetired) {
      throw new HostSaturatedError(
        `${lingering} given-up workers still run their last command (maxRetired: ${maxRetired}). Wait for them to end.`,
      )
    }
    if (busy + starting >= maxWorkers) {
      throw new HostSaturatedError(
        `${busy} workers are in use and ${starting} are starting (maxWorkers: ${maxWorkers}). Close sandboxes first.`,
      )
    }
  }

  async #open(record: ShellRecord, ticket: Ticket): Promise<Place> {
    this.#tickets.add(ticket)
    try {
      const [{ source }, entry] = await Promise.all([
        resolveEngine(),
        findWorkerEntry(this.#options.workerUrl),
        this.#backoff.wait(),
      ])
      if (ticket.abandoned) throw new SandboxClosedError('The opening of this sandbox was given up.')
      return await this.#build(entry, { engine: source, record }, ticket)
    } catch (error) {
      ticket.abandon()
      throw error
    } finally {
      this.#tickets.delete(ticket)
    }
  }

  async #build(entry: URL, request: Omit<LeaseRequest, 'port'>, ticket: Ticket): Promise<Place> {
    const { port1: port, port2 } = outsideRequests(() => new MessageChannel())
    let built = false
    prepareNativeStack()
    try {
      const reply = await this.#adopt(entry, { ...request, port: port2 }, ticket)
      if (!reply.ok) throw rebuildError(reply.error)
      if (ticket.slot === undefined) throw new ProtocolError('A worker answered that no task was given to.')
      built = true
      return makePlace(port, reply, ticket.slot, this.#idle)
    } catch (error) {
      if (error instanceof EngineUnavailableError) forgetEngine()
      throw error
    } finally {
      restoreNativeStack(built)
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
    const { maxWorkers, maxRetired } = this.#options
    this.#pool = new WorkerPool(entry, 2 * maxWorkers + maxRetired)
    this.#pools.add(this.#pool)
    return this.#pool
  }

  #slots(): WorkerSlot[] {
    return [...this.#pools].flatMap((pool) => pool.slots)
  }

  async #close(): Promise<void> {
    this.#closed.abort()
    this.#idle.clear()
    for (const ticket of this.#tickets) ticket.abandon()
    const slots = this.#slots()
    for (const slot of slots) slot.revoke({ code: 'WORKER_EXITED', message: 'The host was closed.' })
    const ending = slots.filter((slot) => slot.adopting || !slot.lingers)
    await interruptible(Promise.all(ending.map((slot) => slot.ended)), {
      seconds: closeAllowance,
      onTimeout: () => new Error('A build did not end.'),
    }).catch(() => undefined) // A build that does not end is left to itself, like a command.
  }
}

function makePlace(
  port: Place['port'],
  { timeout, allowance }: Pick<Place, 'timeout' | 'allowance'>,
  slot: WorkerSlot,
  idle: IdleWorkers,
): Place {
  return {
    port,
    timeout,
    allowance,
    threadId: slot.threadId,
    onLost: (listener) => slot.onLost(listener),
    release: () => idle.rest(slot),
    retire: () => slot.retire(),
  }
}

function hostClosed(): SandboxClosedError {
  return new SandboxClosedError('The host of this sandbox is closed.')
}

function lostWhileOpening(loss: LossData): WorkerLostError {
  return new WorkerLostError(`The worker ended while it opened the sandbox: ${loss.message}`, {
    cause: new SessionLoss(loss.code, loss.message),
  })
}
