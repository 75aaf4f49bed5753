import { performance } from '../async/clock.ts'
import { keptAlive } from '../async/kept-alive.ts'
import { outsideRequests } from '../async/outside-requests.ts'
import { timeLeft } from '../async/time-left.ts'
import type { CheckpointFacts, OmittedPart } from '../contract/checkpoint.ts'
import type { Isolation } from '../contract/isolation.ts'
import type { ConflictData } from '../contract/shell-api.ts'
import { defaultHost } from '../host/default-host.ts'
import type { CloseReason, HibernateReason, HostedSession } from '../host/hosted-session.ts'
import type { SessionRegistry } from '../host/sandbox-host.ts'
import type { SessionRegistration } from '../host/session-registration.ts'
import { SandboxError } from '../sandbox/errors.ts'
import type { CallLimits } from './call-limits.ts'
import { CheckpointSchedule } from './checkpoint-schedule.ts'
import type { FindHostCommands } from './command-calls.ts'
import { Continuity } from './continuity.ts'
import { keptOf } from './kept-checkpoint.ts'
import type { Lease } from './lease.ts'
import { Leases } from './leases.ts'
import { type BlockingOperation, checkpoint, type Operation } from './operations.ts'
import * as refusals from './refusals.ts'
import type { SessionConfig } from './session-config.ts'
import type { SandboxStatus } from './status.ts'
import { type CheckpointTaken, isLost, type SnapshotForm, StoredSession } from './stored-session.ts'

const inBackground: CallLimits = { isBackground: true }

/** What a session has of its sandbox. */
export interface SessionOwner {
  /** Undefined: the default host. */
  readonly host: SessionRegistry | undefined
  /** What its host knows the sandbox by. */
  readonly id: string | undefined
  /** The number of its first session. */
  readonly generation: number
  /** What its first session begins with; undefined: with what its config says. */
  readonly begins?: CheckpointFacts | undefined
  /** Told of the conflicts that a call met, before the call settles. Must not hold the sandbox, and must not throw. */
  readonly onConflicts: (conflicts: readonly ConflictData[]) => void
  /** The functions that commands of the sandbox are. Must not hold the sandbox. */
  readonly hostCommands: FindHostCommands
  /** How its sessions become snapshots; undefined where they cannot. */
  readonly snapshots?: SnapshotForm | undefined
}

/**
 * The sessions of one sandbox, one after another: what it is asked, its checkpoints, and its end. It holds no reference to
 * the sandbox, so that it can outlive the sandbox and clean up.
 */
export class Session implements HostedSession {
  readonly id: string | undefined
  readonly #config: SessionConfig
  readonly #owner: Omit<SessionOwner, 'begins'>
  readonly #continuity: Continuity
  readonly #leases: Leases
  readonly #beginsAsGiven: boolean
  #pending = 0
  /** Calls that were made. */
  #uses = 0
  #registration: SessionRegistration | undefined
  /** Undefined where its host stores nothing of it. */
  #stored: StoredSession | undefined
  #schedule: CheckpointSchedule | undefined
  /** Resolves when the lease of a hibernated session is closed. */
  #leaving: Promise<void> | undefined
  /** What the last checkpoint of a lease has left out. */
  #omitted: { readonly lease: Lease; readonly parts: readonly OmittedPart[] } | undefined
  #closing: Promise<void> | undefined

  constructor(config: SessionConfig, { begins, ...owner }: SessionOwner) {
    this.#config = config
    // Without what it begins with: that is let go of as it changes.
    this.#owner = owner
    this.id = owner.id
    this.#beginsAsGiven = begins !== undefined
    this.#continuity = new Continuity(config, begins && keptOf(begins, config))
    const { generation, onConflicts, hostCommands } = owner
    this.#leases = new Leases({
      config,
      continuity: this.#continuity,
      generation,
      onConflicts,
      hostCommands,
      register: () => ({ registration: this.#register(), stored: this.#stored }),
    })
  }

  /** What the sandbox has for itself. */
  get isolation(): Isolation {
    return this.#config.isolation ?? (this.#owner.host ?? defaultHost()).isolation
  }

  get status(): SandboxStatus {
    const { status } = this.#leases
    return status === 'new' && this.isHibernated ? 'hibernated' : status
  }

  /** The number of the session that the next call runs in, from 1. */
  get generation(): number {
    return this.#leases.generation
  }

  /** Calls that have not settled. */
  get pending(): number {
    return this.#pending
  }

  get isHibernated(): boolean {
    return this.#stored?.isHibernated === true
  }

  get isIdle(): boolean {
    return this.#pending === 0 && this.#leases.ready !== undefined
  }

  /** Opens a session if there is none. */
  async open(limits?: CallLimits): Promise<void> {
    if (this.#leases.ready === undefined)
      await this.#counted(() => this.#leases.acquire(limits, () => Promise.resolve()))
  }

  /** Makes a call, in the open session or in one that it opens. */
  call<T>(operation: Operation<T>, limits: CallLimits = {}): Promise<T> {
    return this.#counted(() => this.#call(operation, limits))
  }

  async #call<T>(operation: Operation<T>, limits: CallLimits): Promise<T> {
    const { ready } = this.#leases
    if (ready !== undefined) return ready.remote.call(operation, limits)
    const start = performance.now()
    return this.#leases.acquire(limits, (lease) =>
      lease.remote.call(operation, { ...limits, timeout: timeLeft(limits.timeout, start) }),
    )
  }

  /**
   * All that the session has when the calls before have ended, and what of it is left out.
   *
   * @throws {UnsupportedError} where the engine cannot tell, or can no more
   */
  checkpoint(limits: CallLimits = {}): Promise<CheckpointTaken> {
    return this.#counted(async () => this.#taken(await this.#call(checkpoint(), limits)))
  }

  /** What the worker has handed over before it answered: no later message has been read. */
  #taken(omitted: readonly OmittedPart[]): CheckpointTaken {
    const { facts } = this.#continuity
    if (facts === undefined) throw refusals.notKept()
    return { facts, omitted }
  }

  async hibernate(reason: HibernateReason): Promise<boolean> {
    const isAwaited = reason === 'asked' || reason === 'drained'
    return isAwaited ? keptAlive(this.#hibernate(reason, {})) : this.#hibernate(reason, inBackground)
  }

  async #hibernate(reason: HibernateReason, limits: CallLimits): Promise<boolean> {
    const stored = this.#stored
    const lease = this.#leases.ready
    if (stored === undefined || lease === undefined || this.#pending > 0) return false
    const uses = this.#uses
    await this.#schedule?.taken()
    const isStored = this.#handsOver && stored.has(this.#continuity.version)
    const losesParts = !isStored && (await this.#store(stored, lease, limits))
    if (losesParts && limits.isBackground === true) return false
    if (this.#uses !== uses || this.#leases.ready !== lease) return false
    this.#leaving = this.#leases.leave(lease)
    this.#continuity.drop()
    this.#schedule?.rest()
    stored.hibernated()
    this.#registration?.hibernated(reason)
    await this.#leaving
    return true
  }

  /**
   * Takes a checkpoint once the calls before have ended. It is in the store of the host when this resolves, where there is one.
   *
   * @throws {UnsupportedError} where there are no checkpoints of the session
   */
  async keep(): Promise<void> {
    if (this.isHibernated) return
    await this.#counted(() =>
      this.#leases.acquire({}, async (lease) => {
        if (this.#stored === undefined) this.#taken(await lease.remote.call(checkpoint()))
        else await this.#store(this.#stored, lease, {})
      }),
    )
  }

  /**
   * As `hibernate`, once the calls before have ended.
   *
   * @throws {UnsupportedError} where its host stores nothing of it
   */
  async hibernateWhenIdle(): Promise<boolean> {
    this.#leases.requireUnclosed()
    this.#register()
    if (this.#stored === undefined) throw refusals.notStored()
    // Its answer comes behind those of the calls before.
    if (this.#pending > 0) await this.#leases.acquire({}, (lease) => lease.remote.call(checkpoint()))
    return this.hibernate('asked')
  }

  /** Puts all that the open session has into the store, as no use of it. @returns whether it would lose parts if it ended */
  async #store(stored: StoredSession, lease: Lease, limits: CallLimits): Promise<boolean> {
    const taken = this.#taken(await this.#omittedOf(lease, limits))
    const { version } = this.#continuity
    if (!stored.has(version)) await stored.put(taken, version)
    return taken.omitted.some(isLost)
  }

  /** Behind a call that runs the worker is not asked again: what came with the last answer is as of the call before. */
  async #omittedOf(lease: Lease, limits: CallLimits): Promise<readonly OmittedPart[]> {
    const known = this.#omitted?.lease === lease ? this.#omitted.parts : undefined
    if (known !== undefined && this.#handsOver && limits.isBackground === true && this.#pending > 0)
      return known
    const parts = await lease.remote.call(checkpoint(), limits)
    this.#omitted = { lease, parts }
    return parts
  }

  /** Whether each call is answered with what it has changed. */
  get #handsOver(): boolean {
    return this.#config.checkpoints === 'call'
  }

  /** Takes a checkpoint that is due. */
  async #keep(): Promise<void> {
    const lease = this.#leases.open
    if (lease === undefined) return
    try {
      if (this.#stored === undefined) await lease.remote.call(checkpoint(), inBackground)
      else await this.#store(this.#stored, lease, inBackground)
    } catch {
      // The next one has it. Who lost the session, or closed it, is told by its calls, and a failed store by an event.
    }
  }

  /**
   * Puts other facts in the place of all that the session has. Calls that were made before end first, later ones wait. Where
   * the shell cannot take the facts in, the session has what it had.
   *
   * @throws {SnapshotError} where they are more than the session may have, or its engine refuses them
   */
  async restore(facts: CheckpointFacts): Promise<void> {
    const kept = keptOf(facts, this.#config)
    await this.#counted(() => this.#leases.restart(kept))
  }

  /**
   * Makes a call in the open session, and blocks this thread until it is answered.
   *
   * @throws {UnsupportedError} where there is no session, or it is in another process
   */
  block<T>(operation: BlockingOperation<T>, limits: CallLimits = {}): T {
    const settled = this.#began()
    try {
      return this.#blockable().blocking.call(operation, limits)
    } catch (error) {
      settled(error)
      throw error
    } finally {
      settled()
    }
  }

  /** Ends the session for good. Idempotent; pending calls reject with `CLOSED`. */
  close(reason: CloseReason = 'closed'): Promise<void> {
    this.#closing ??= outsideRequests(() => {
      const lease = this.#end(reason)
      const closing = [lease?.close(), this.#leaving]
      this.#registration?.closed(reason)
      if (reason === 'closed') closing.push(this.#stored?.delete())
      return Promise.all(closing).then(() => undefined)
    })
    return this.#closing
  }

  /** Ends the session without waiting: its sandbox was collected. */
  abandon(): void {
    if (this.#closing !== undefined) return
    this.#closing = Promise.resolve()
    this.#end('dropped')?.abandon()
    this.#registration?.closed('dropped')
  }

  #end(reason: CloseReason): Lease | undefined {
    this.#continuity.drop()
    this.#schedule?.stop()
    return this.#leases.end(reason)
  }

  /** A call is use of the sandbox for as long as it is pending. */
  async #counted<T>(call: () => Promise<T>): Promise<T> {
    const settled = this.#began()
    try {
      return await call()
    } catch (error) {
      settled(error)
      throw error
    } finally {
      settled()
    }
  }

  /** Counts a call. @returns what to call when it has settled; further calls of it do nothing */
  #began(): (error?: unknown) => void {
    const start = performance.now()
    let settled = false
    this.#pending += 1
    this.#uses += 1
    this.#registration?.began()
    this.#schedule?.used()
    return (error) => {
      if (settled) return
      settled = true
      this.#pending -= 1
      const code = error instanceof SandboxError ? error.code : undefined
      this.#schedule?.settled(this.#pending === 0)
      this.#registration?.ended(performance.now() - start, code)
    }
  }

  #blockable(): Lease {
    this.#leases.requireUnclosed()
    if (this.isolation === 'process') throw refusals.inOtherProcess()
    const { ready } = this.#leases
    if (ready !== undefined) {
      if (!ready.capabilities.sync) throw refusals.notSync()
      return ready
    }
    this.#leases.refuseLost()
    throw this.status === 'open' ? refusals.othersWait() : refusals.notOpen(this.status)
  }

  /** Takes the sandbox to its host, once. */
  #register(): SessionRegistration {
    if (this.#registration !== undefined) return this.#registration
    const { host, id, snapshots } = this.#owner
    const registration = (host ?? defaultHost()).register(this)
    const { store } = registration
    this.#registration = registration
    if (store !== undefined && id !== undefined && snapshots !== undefined)
      this.#stored = new StoredSession({
        id,
        store,
        form: snapshots,
        registration,
        isNext: !this.#beginsAsGiven,
      })
    const { checkpoints, checkpoint: bounds } = this.#config
    const isTimed = checkpoints !== 'never' && (checkpoints !== 'call' || this.#stored !== undefined)
    if (isTimed && bounds !== undefined)
      this.#schedule = new CheckpointSchedule(checkpoints, () => this.#keep())
    return registration
  }
}
