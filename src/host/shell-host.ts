import { MessageChannel } from 'node:worker_threads'
import type { LossData } from '../contract/errors.ts'
import type { LeaseReply } from '../contract/lease.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import { HostSaturatedError, SandboxClosedError, SessionLoss, WorkerLostError } from '../sandbox/errors.ts'
import { interruptible } from '../sandbox/interruptible.ts'
import { rebuildError } from '../sandbox/rebuild-error.ts'
import { Backoff } from './backoff.ts'
import { prepareNativeStack, restoreNativeStack } from './engine/native-stack.ts'
import { resolveEngine } from './engine/resolve-engine.ts'
import { IdleWorkers } from './idle-workers.ts'
import type { ResolvedHostOptions, ShellHostOptions } from './options.ts'
import { outsideRequests } from './outside-requests.ts'
import type { Place } from './place.ts'
import { resolveHostOptions } from './resolve-options.ts'
import { findWorkerEntry } from './worker-entry.ts'
import { PoolBrokenError, WorkerPool } from './worker-pool.ts'
import { failureOf, type WorkerSlot } from './worker-slot.ts'

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
  readonly #openings = new Set<Promise<unknown>>()
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
    const opening = this.#open(record)
    this.#track(opening)
    const { openTimeout } = this.#options
    return interruptible(opening, {
      seconds: openTimeout,
      signal,
      onTimeout: () =>
        new HostSaturatedError(`Opening a sandbox took longer than openTimeout (${openTimeout} s).`),
      onAbort: () => new SandboxClosedError('The sandbox was closed while it opened.'),
      onLate: (place) => place.retire(),
    })
  }

  #admit(): void {
    if (this.#closing !== undefined) throw new SandboxClosedError('The host of this sandbox is closed.')
    const { maxWorkers, maxRetired } = this.#options
    const slots = this.#slots()
    const lingering = slots.filter((slot) => slot.lingers).length
    const busy = slots.filter((slot) => slot.state === 'taken').length + lingering
    if (lingering >= maxRetired) {
      throw new HostSaturatedError(
        `${lingering} given-up workers still run their last command (maxRetired: ${maxRetired}). Wait for them to end.`,
      )
    }
    if (busy + this.#openings.size >= maxWorkers) {
      throw new HostSaturatedError(
        `${busy} workers are in use and ${this.#openings.size} are starting (maxWorkers: ${maxWorkers}). Close sandboxes first.`,
      )
    }
  }

  async #open(record: ShellRecord): Promise<Place> {
    const [{ source }, entry] = await Promise.all([
      resolveEngine(),
      findWorkerEntry(this.#options.workerUrl),
      this.#backoff.wait(),
    ])
    const { port1: port, port2 } = outsideRequests(() => new MessageChannel())
    let built = false
    prepareNativeStack()
    try {
      const { reply, slot } = await this.#adopt(entry, { port: port2, engine: source, record })
      if (!reply.ok) {
        slot.retire()
        throw rebuildError(reply.error)
      }
      built = true
      return makePlace(port, reply.timeout, slot, this.#idle)
    } finally {
      restoreNativeStack(built)
      if (!built) port.close()
    }
  }

  async #adopt(
    entry: URL,
    request: Parameters<WorkerPool['adopt']>[0],
  ): Promise<{ reply: LeaseReply; slot: WorkerSlot }> {
    const pool = this.#currentPool(entry)
    try {
      const adopted = await pool.adopt(request)
      this.#backoff.succeeded()
      return adopted
    } catch (error) {
      if (pool.broken) this.#backoff.failed()
      throw lostWhileOpening(error instanceof PoolBrokenError ? error.loss : failureOf(error))
    }
  }

  /** A pool of which a worker could not start never starts another: a fresh one takes its place. */
  #currentPool(entry: URL): WorkerPool {
    if (this.#pool === undefined || this.#pool.broken) {
      this.#pool = new WorkerPool(entry, this.#options.maxWorkers)
      this.#pools.add(this.#pool)
      for (const pool of this.#pools)
        if (pool !== this.#pool && pool.slots.length === 0) this.#pools.delete(pool)
    }
    return this.#pool
  }

  #slots(): WorkerSlot[] {
    return [...this.#pools].flatMap((pool) => pool.slots)
  }

  #track(opening: Promise<unknown>): void {
    this.#openings.add(opening)
    const done = () => this.#openings.delete(opening)
    opening.then(done, done)
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#openings)
    this.#idle.clear()
    const ends = this.#slots().map((slot) => {
      slot.retire()
      return slot.lingers ? undefined : slot.ended
    })
    await Promise.all(ends)
  }
}

function makePlace(port: Place['port'], timeout: number, slot: WorkerSlot, idle: IdleWorkers): Place {
  return {
    port,
    timeout,
    threadId: slot.threadId,
    onGone: (listener) => {
      slot.onGone(listener)
    },
    release: () => idle.rest(slot),
    retire: () => slot.retire(),
  }
}

function lostWhileOpening(loss: LossData): WorkerLostError {
  return new WorkerLostError(`The worker ended while it opened the sandbox: ${loss.message}`, {
    cause: new SessionLoss(loss.code, loss.message),
  })
}
