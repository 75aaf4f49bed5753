import { performance } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import { outsideRequests } from '../async/outside-requests.ts'
import { timeLeft } from '../async/time-left.ts'
import { resolveCredentials } from '../config/credentials.ts'
import type { CheckpointFacts, OmittedPart } from '../contract/checkpoint.ts'
import type { Isolation } from '../contract/isolation.ts'
import type { ConflictData } from '../contract/shell-api.ts'
import { defaultHost } from '../host/default-host.ts'
import type { CloseReason, HibernateReason, HostedSession } from '../host/hosted-session.ts'
import type { SessionRegistry } from '../host/sandbox-host.ts'
import type { SessionRegistration } from '../host/session-registration.ts'
import { OpenRequest } from '../places/open-request.ts'
import { abortError } from '../sandbox/abort-error.ts'
import { SandboxError } from '../sandbox/errors.ts'
import { lossError } from '../sandbox/loss-error.ts'
import { refuseSnapshot } from '../snapshot/refuse.ts'
import { bareRecord } from './bare-record.ts'
import type { CallLimits } from './call-limits.ts'
import { CheckpointSchedule } from './checkpoint-schedule.ts'
import type { FindHostCommands } from './command-calls.ts'
import { Continuity } from './continuity.ts'
import { KeptCheckpoint } from './kept-checkpoint.ts'
import { Lease } from './lease.ts'
import { type BlockingOperation, checkpoint, type Operation } from './operations.ts'
import * as refusals from './refusals.ts'
import { notRestored, notTakenIn, restoreLease } from './restore-lease.ts'
import type { SessionConfig } from './session-config.ts'
import type { SandboxStatus } from './status.ts'
import { type CheckpointTaken, isJob, type SnapshotForm, StoredSession } from './stored-session.ts'

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
 * The sessions of one sandbox, one after another: opens a lease when a call needs one, reports its loss once,
 * and opens the next. It holds no reference to the sandbox, so that it can outlive the sandbox and clean up.
 */
export class Session implements HostedSession {
  readonly id: string | undefined
  readonly #config: SessionConfig
  readonly #owner: SessionOwner
  #lease: Lease | undefined
  #opening: { readonly lease: Promise<Lease>; readonly request: OpenRequest } | undefined
  /** Callers that wait for the opening; a later caller must not overtake them. */
  #waiting = 0
  #endedSessions: number
  #pending = 0
  #registration: SessionRegistration | undefined
  readonly #continuity: Continuity
  /** Undefined where its host stores nothing of it. */
  #stored: StoredSession | undefined
  #schedule: CheckpointSchedule | undefined
  /** Calls that were made. */
  #uses = 0
  /** Resolves when the lease of a hibernated session is closed. */
  #leaving: Promise<void> | undefined
  readonly #beginsAsGiven: boolean
  #closing: Promise<void> | undefined
  #closedFor: CloseReason | undefined

  constructor(config: SessionConfig, { begins, ...owner }: SessionOwner) {
    this.#config = config
    // Without what it begins with: that is let go of as it changes.
    this.#owner = owner
    this.id = owner.id
    const kept = begins && held(begins, config)
    this.#beginsAsGiven = begins !== undefined
    this.#continuity = new Continuity(config, kept)
    this.#endedSessions = owner.generation - 1
  }

  /** What the sandbox has for itself. */
  get isolation(): Isolation {
    return this.#config.isolation ?? (this.#owner.host ?? defaultHost()).isolation
  }

  get status(): SandboxStatus {
    if (this.#closing !== undefined) return 'closed'
    if (this.#opening !== undefined) return 'opening'
    if (this.isHibernated) return 'hibernated'
    if (this.#lease === undefined) return 'new'
    return this.#lease.loss === undefined ? 'open' : 'lost'
  }

  /** The number of the session that the next call runs in, from 1. */
  get generation(): number {
    return 1 + this.#endedSessions + (this.#lease?.loss === undefined ? 0 : 1)
  }

  /** Calls that have not settled. */
  get pending(): number {
    return this.#pending
  }

  get isHibernated(): boolean {
    return this.#stored?.isHibernated === true
  }

  get isIdle(): boolean {
    return this.#pending === 0 && this.#ready() !== undefined
  }

  /** Opens a session if there is none. */
  async open(limits?: CallLimits): Promise<void> {
    if (this.#ready() === undefined) await this.#counted(() => this.#acquire(limits, () => Promise.resolve()))
  }

  /** Makes a call, in the open session or in one that it opens. */
  call<T>(operation: Operation<T>, limits: CallLimits = {}): Promise<T> {
    return this.#counted(() => this.#call(operation, limits))
  }

  async #call<T>(operation: Operation<T>, limits: CallLimits): Promise<T> {
    const ready = this.#ready()
    if (ready !== undefined) return ready.remote.call(operation, limits)
    const start = performance.now()
    return this.#acquire(limits, (lease) =>
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
    const stored = this.#stored
    const lease = this.#ready()
    if (stored === undefined || lease === undefined || !this.isIdle) return false
    const uses = this.#uses
    const isAwaited = reason === 'asked' || reason === 'drained'
    const hasJobs = await this.#store(stored, lease, { isBackground: !isAwaited })
    if (hasJobs && !isAwaited) return false
    if (this.#uses !== uses || this.#ready() !== lease || this.#closing !== undefined) return false
    this.#lease = undefined
    this.#continuity.drop()
    this.#schedule?.rest()
    stored.hibernated()
    this.#leaving = lease.close()
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
    await this.#counted(async () => {
      if (this.isHibernated) return
      await this.#acquire({}, async (lease) => {
        if (this.#stored === undefined) this.#taken(await lease.remote.call(checkpoint()))
        else await this.#store(this.#stored, lease, {})
      })
    })
  }

  /**
   * As `hibernate`, once the calls before have ended.
   *
   * @throws {UnsupportedError} where its host stores nothing of it
   */
  async hibernateWhenIdle(): Promise<boolean> {
    this.#register()
    if (this.#stored === undefined) throw refusals.notStored()
    const ready = this.#ready()
    // Its answer comes behind those of the calls before.
    if (this.#pending > 0) await ready?.remote.call(checkpoint())
    return this.hibernate('asked')
  }

  /** Puts all that the open session has into the store, as no use of it. @returns whether it runs jobs in the background */
  async #store(stored: StoredSession, lease: Lease, limits: CallLimits): Promise<boolean> {
    const continuity = this.#continuity
    if (this.#config.checkpoints === 'call' && stored.has(continuity.version)) return false
    const taken = this.#taken(await lease.remote.call(checkpoint(), limits))
    const { version } = continuity
    if (!stored.has(version)) await stored.put(taken, version)
    return taken.omitted.some(isJob)
  }

  /** Takes a checkpoint that is due. */
  async #keep(): Promise<void> {
    const lease = this.#lease
    if (lease === undefined || lease.loss !== undefined || this.#closing !== undefined) return
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
    const kept = held(facts, this.#config)
    await this.#counted(async () => {
      const ready = this.#ready()
      const waits = ready === undefined && (this.#opening !== undefined || this.#liveLease() !== undefined)
      this.#waiting += 1
      try {
        if (waits) await this.#acquire({}, (lease) => this.#replace(lease, kept))
        else await this.#replace(ready, kept)
      } finally {
        this.#waiting -= 1
      }
    })
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
      this.#closedFor = reason
      this.#continuity.drop()
      this.#schedule?.stop()
      this.#opening?.request.withdraw()
      const closing = [this.#lease?.close(), this.#leaving]
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
    this.#closedFor = 'dropped'
    this.#continuity.drop()
    this.#schedule?.stop()
    this.#opening?.request.withdraw()
    this.#lease?.abandon()
    this.#registration?.closed('dropped')
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
    if (this.#closing !== undefined) throw refusals.closed(this.#closedFor)
    if (this.isolation === 'process') throw refusals.inOtherProcess()
    const lease = this.#ready()
    if (lease !== undefined) {
      if (!lease.capabilities.sync) throw refusals.notSync()
      return lease
    }
    this.#refuseLost()
    throw this.status === 'open' ? refusals.othersWait() : refusals.notOpen(this.status)
  }

  #ready(): Lease | undefined {
    if (this.#closing !== undefined || this.#waiting > 0) return undefined
    return this.#lease?.loss === undefined ? this.#lease : undefined
  }

  /** Waits for a lease and uses it before any caller that comes later. */
  async #acquire<T>(limits: CallLimits = {}, use: (lease: Lease) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw refusals.closed(this.#closedFor)
    const { signal } = limits
    if (signal?.aborted) throw abortError(signal)
    this.#refuseLost()
    const start = performance.now()
    let opened = this.#opening?.lease ?? this.#liveLease() ?? this.#startOpening()
    this.#waiting += 1
    const wait = () =>
      interruptible(opened, {
        seconds: timeLeft(limits.timeout, start),
        signal,
        onTimeout: refusals.timedOut,
        onAbort: () => abortError(signal),
      })
    let using: Promise<T>
    try {
      let lease = await wait()
      // An earlier caller may have had it replaced: nothing comes between this look and the use.
      for (let latest = this.#opening?.lease; latest !== undefined && latest !== opened; ) {
        opened = latest
        lease = await wait()
        latest = this.#opening?.lease
      }
      const lost = lease.takeUnreportedLoss()
      if (lost !== undefined) throw lost
      using = use(lease)
    } finally {
      this.#waiting -= 1
      if (this.#waiting === 0 && this.#opening?.request.leaveQueue() === true) this.#opening = undefined
    }
    return using
  }

  /** Gives the open lease up for one that begins with other facts. Callers that come now wait for that one. */
  #replace(old: Lease | undefined, kept: KeptCheckpoint): Promise<Lease> {
    if (this.#closing !== undefined) return Promise.reject(refusals.closed(this.#closedFor))
    return this.#begin(
      () => this.#request(kept),
      async (request) => {
        const before = old === undefined ? undefined : await this.#giveUp(old)
        request.throwIfCancelled()
        const had = this.#continuity.replace(kept)
        try {
          return await this.#openLease(request, kept)
        } catch (error) {
          if (this.#closing === undefined) this.#continuity.replace(before ?? had)
          throw error
        }
      },
    )
  }

  /** Ends a lease once its calls have ended. @returns all that it had; undefined where it cannot tell */
  async #giveUp(lease: Lease): Promise<KeptCheckpoint | undefined> {
    const isTold = await lease.remote.call(checkpoint()).then(
      () => true,
      () => false, // A lease that is lost or closed has nothing to tell.
    )
    const before = isTold ? this.#continuity.replace(undefined) : undefined
    await lease.close()
    if (this.#lease === lease && this.#closing === undefined) {
      this.#lease = undefined
      this.#endedSessions += 1
    }
    return before
  }

  /** The open lease, for callers that wait behind others. */
  #liveLease(): Promise<Lease> | undefined {
    return this.#lease?.loss === undefined ? this.#lease && Promise.resolve(this.#lease) : undefined
  }

  #refuseLost(): void {
    const loss = this.#lease?.loss
    // Where the next session goes on from what this one had, nothing was lost but the calls that were pending.
    if (loss === undefined || this.#continuity.isUnbroken) return
    const unreported = this.#lease?.takeUnreportedLoss()
    if (unreported !== undefined) throw unreported
    if (this.#config.onLost === 'fail') throw lossError(loss)
  }

  #startOpening(): Promise<Lease> {
    this.#register()
    if (this.#stored?.isNext === true) return this.#wake(this.#stored)
    const { checkpoint } = this.#continuity
    return this.#begin(
      () => this.#request(checkpoint),
      (request) => this.#openLease(request, checkpoint),
    )
  }

  /** Opens a session with what the store has of it; where that is nothing, as the config says. */
  #wake(stored: StoredSession): Promise<Lease> {
    const start = performance.now()
    return this.#begin(
      () => this.#request(undefined),
      async (request) => {
        const kept = await this.#load(stored, request)
        if (kept === undefined) return this.#openLease(request, undefined)
        request.record = this.#request(kept).record
        const woken = (registration: SessionRegistration) => registration.woken(performance.now() - start)
        return this.#openLease(request, kept, woken)
      },
    )
  }

  async #load(stored: StoredSession, request: OpenRequest): Promise<KeptCheckpoint | undefined> {
    try {
      const facts = await Promise.race([stored.load(), request.cancelled()])
      const kept = facts && held(facts, this.#config)
      this.#continuity.replace(kept)
      return kept
    } catch (error) {
      this.#registration?.rejected(request, error)
      throw error
    }
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

  /** Has an opening be the one that callers wait for. */
  #begin(ask: () => OpenRequest, open: (request: OpenRequest) => Promise<Lease>): Promise<Lease> {
    let request: OpenRequest
    try {
      request = ask()
    } catch (error) {
      return Promise.reject(error)
    }
    const lease = outsideRequests(() => open(request))
    this.#opening = { lease, request }
    const over = () => {
      if (this.#opening?.lease === lease) this.#opening = undefined
    }
    outsideRequests(() => lease.catch(over))
    return lease
  }

  /** Tokens are revealed at each opening, so that the next session uses a rotated one. */
  #request(checkpoint: KeptCheckpoint | undefined): OpenRequest {
    const { engine, record } = this.#config
    const credentials = resolveCredentials(record.credentials)
    if (checkpoint === undefined) return new OpenRequest(engine, { ...record, credentials })
    const own = checkpoint.isWhole ? bareRecord(record) : record
    return new OpenRequest(engine, { ...own, credentials, restores: true })
  }

  /** @param opened - tells the host that the session can be used. */
  async #openLease(
    request: OpenRequest,
    checkpoint: KeptCheckpoint | undefined,
    opened = (registration: SessionRegistration) => registration.opened(),
  ): Promise<Lease> {
    const { onConflicts, hostCommands } = this.#owner
    const registration = this.#register()
    const place = await registration.open(request)
    if (this.#closing !== undefined) {
      place.endpoint.close()
      place.retire()
      throw refusals.closed(this.#closedFor)
    }
    let isOpen = checkpoint === undefined
    if (isOpen) {
      this.#continuity.begin()
      opened(registration)
    }
    const lease = new Lease(place, {
      ...this.#config,
      commandLimiter: registration.commandLimiter,
      onConflicts,
      onInterrupt: this.#config.onInterrupt === 'keep' ? 'keep' : 'reset',
      onCheckpoint: (part) => this.#continuity.take(part),
      onAnswered: () => this.#continuity.answered(),
      onLost: ({ code }) => {
        this.#continuity.lost(code)
        if (isOpen) registration.lost(code)
      },
      hostCommands,
    })
    if (checkpoint !== undefined) {
      await this.#restore(lease, checkpoint, request)
      isOpen = true
      opened(registration)
    }
    this.#stored?.opened(
      this.#stored.isNext && checkpoint !== undefined ? this.#continuity.version : undefined,
    )
    if (this.#lease !== undefined) this.#endedSessions += 1
    this.#lease = lease
    // From here on closing must end the lease: withdrawing the request would close its endpoint first.
    this.#opening = undefined
    return lease
  }

  /** Where that fails, nothing is open. */
  async #restore(lease: Lease, checkpoint: KeptCheckpoint, request: OpenRequest): Promise<void> {
    try {
      await restoreLease(lease, checkpoint, request)
    } catch (error) {
      request.throwIfCancelled()
      const failure = checkpoint.isFirst ? notTakenIn(error) : this.#notRestored(error)
      this.#registration?.rejected(request, failure)
      throw failure
    }
  }

  /** The loss is reported now, and the next call opens a session that begins afresh. */
  #notRestored(error: unknown): Error {
    this.#continuity.drop()
    this.#lease?.takeUnreportedLoss()
    return notRestored(this.#lease?.loss, error)
  }
}

/** @throws SnapshotError where there is more than a session may have */
function held(facts: CheckpointFacts, { checkpoint }: SessionConfig): KeptCheckpoint {
  const kept = checkpoint && KeptCheckpoint.of(facts, checkpoint)
  if (kept === undefined)
    throw refuseSnapshot(
      'too-large',
      'has more files, or longer names and variables, than this sandbox may have (limits.maxFileSystem).',
    )
  return kept
}
