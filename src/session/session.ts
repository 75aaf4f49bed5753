import type { InCaller } from '../async/caller-context.ts'
import { performance } from '../async/clock.ts'
import { keptAlive } from '../async/kept-alive.ts'
import { outsideRequests } from '../async/outside-requests.ts'
import { timeLeft } from '../async/time-left.ts'
import type { CheckpointFacts, OmittedPart } from '../contract/checkpoint.ts'
import type { Isolation } from '../contract/isolation.ts'
import type { EngineName } from '../contract/lease.ts'
import type { ConflictData } from '../contract/shell-api.ts'
import { defaultHost } from '../host/default-host.ts'
import type { CloseReason, HibernateReason } from '../host/end-reasons.ts'
import type { HostedSession } from '../host/hosted-session.ts'
import type { SandboxEvents } from '../host/sandbox-events.ts'
import type { SessionRegistry } from '../host/sandbox-host.ts'
import type { SessionRegistration } from '../host/session-registration.ts'
import type { CellMemory, Place } from '../places/place.ts'
import type { Policy } from '../policy/types.ts'
import { SandboxError } from '../sandbox/errors.ts'
import type { CallLimits } from './call-limits.ts'
import { CallOversight } from './call-oversight.ts'
import type { CallBegin } from './call-reports.ts'
import type { FindHostCommands } from './command-calls.ts'
import { Continuity } from './continuity.ts'
import type { CheckedEgressSignal } from './egress-signal-schema.ts'
import { keptOf } from './kept-checkpoint.ts'
import type { Lease } from './lease.ts'
import { Leases } from './leases.ts'
import { type BlockingOperation, checkpoint, type Operation } from './operations.ts'
import * as refusals from './refusals.ts'
import { Secrets } from './secrets.ts'
import type { HeldConfig } from './session-config.ts'
import { SessionKeeping } from './session-keeping.ts'
import type { SandboxStatus } from './status.ts'
import { type CheckpointTaken, type SnapshotForm, StoredSession } from './stored-session.ts'

/** Sandboxes of this process so far. */
let sandboxes = 0

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
  /** The listeners of the sandbox. Must not hold it. */
  readonly listeners: () => SandboxEvents | undefined
  /** The functions that commands of the sandbox are. Must not hold the sandbox. */
  readonly hostCommands: FindHostCommands
  /** What decides on its calls; undefined once the sandbox is collected. Must not hold it. */
  readonly policies: () => readonly Policy[] | undefined
  /** How its sessions become snapshots; undefined where they cannot. */
  readonly snapshots?: SnapshotForm | undefined
}

/**
 * The sessions of one sandbox, one after another: what it is asked, its checkpoints, and its end. It holds no reference to
 * the sandbox, so that it can outlive the sandbox and clean up.
 */
export class Session implements HostedSession {
  readonly id: string | undefined
  readonly sandbox = ++sandboxes
  readonly #config: HeldConfig
  readonly #owner: Omit<SessionOwner, 'begins'>
  readonly #continuity: Continuity
  readonly #leases: Leases
  readonly #secrets: Secrets
  readonly #beginsAsGiven: boolean
  readonly #calls = { pending: 0, keeping: 0, made: 0 }
  #registration: SessionRegistration | undefined
  #overseen: CallOversight | undefined
  #keeping: SessionKeeping | undefined
  #closing: Promise<void> | undefined

  constructor(config: HeldConfig, { begins, ...owner }: SessionOwner) {
    this.#config = config
    // Without what it begins with: that is let go of as it changes.
    this.#owner = owner
    this.id = owner.id
    this.#beginsAsGiven = begins !== undefined
    this.#continuity = new Continuity(config, begins && keptOf(begins, config))
    const secrets = new Secrets(config.record.credentials)
    this.#secrets = secrets
    const { generation, hostCommands } = owner
    this.#leases = new Leases({
      config,
      continuity: this.#continuity,
      generation,
      onConflicts: (conflicts) => this.#conflicts(conflicts),
      onEgress: (signal) => this.#egress(signal),
      hostCommands,
      onTokens: (tokens) => secrets.opens(tokens),
      register: () => ({ registration: this.#register(), stored: this.#keeping?.stored }),
      policies: () => this.#policies(this.#register()),
    })
  }

  /** What the sandbox has for itself. */
  get isolation(): Isolation {
    return this.#config.isolation ?? (this.#owner.host ?? defaultHost()).isolation
  }

  get labels(): HeldConfig['labels'] {
    return this.#config.labels
  }

  get shell(): EngineName {
    return this.#config.record.engine
  }

  /** The listeners of its sandbox; undefined once that is collected. */
  get listeners(): SandboxEvents | undefined {
    return this.#owner.listeners()
  }

  get status(): SandboxStatus {
    const { status } = this.#leases
    return status === 'new' && this.isHibernated ? 'hibernated' : status
  }

  /** The number of the session that the next call runs in, from 1. */
  get generation(): number {
    return this.#leases.generation
  }

  /** What the process of its cell holds in memory. */
  get memory(): CellMemory | undefined {
    return this.#leases.open?.memory
  }

  /** The cell that it has its place in. */
  get cell(): Place['cell'] {
    return this.#leases.open?.cell
  }

  /** What the proxy calls its place alone. */
  get pass(): Place['pass'] {
    return this.#leases.open?.pass
  }

  /** True while a command of it runs. */
  get runs(): boolean {
    return this.#leases.open?.runs === true
  }

  /** The async context of the caller of the command that runs; undefined where nobody wants it, or it is not certain. */
  get inCaller(): InCaller | undefined {
    return this.#leases.open?.inCaller
  }

  /** Calls that have not settled. */
  get pending(): number {
    return this.#calls.pending
  }

  /** True where policies decide on its calls. */
  get decides(): boolean {
    return this.#closing === undefined && this.#oversight().decides
  }

  get isHibernated(): boolean {
    return this.#keeping?.stored?.isHibernated === true
  }

  get isIdle(): boolean {
    return this.#calls.pending === 0 && this.#leases.ready !== undefined
  }

  /** Opens a session if there is none. */
  async open(limits?: CallLimits): Promise<void> {
    if (this.#leases.ready === undefined)
      await this.#counted(() => this.#leases.acquire(limits, () => Promise.resolve()))
  }

  /** Makes a call, in the open session or in one that it opens. */
  call<T>(operation: Operation<T>, limits: CallLimits = {}): Promise<T> {
    return this.#counted(() => this.#asked(operation, limits))
  }

  #asked<T>(operation: Operation<T>, limits: CallLimits): Promise<T> {
    return this.#oversight().call(operation, limits, (chosen, left, begin) => this.#call(chosen, left, begin))
  }

  /** Does what no policy decides on, behind the calls that one does. */
  async #inTurn<T>(make: () => Promise<T>): Promise<T> {
    return this.#oversight().turn(make)
  }

  hideInRequest(text: string): string {
    return this.#secrets.hideInRequest(text)
  }

  #egress(signal: CheckedEgressSignal): void {
    if (this.#closing === undefined) this.#oversight().egress(signal, this.cell?.name)
  }

  #conflicts(conflicts: readonly ConflictData[]): void {
    if (this.#closing !== undefined) return
    for (const conflict of conflicts) this.#oversight().conflict(conflict)
  }

  #call<T>(operation: Operation<T>, limits: CallLimits, begin?: CallBegin): Promise<T> {
    const { ready } = this.#leases
    if (ready !== undefined) return this.#send(ready, operation, limits, begin)
    const start = performance.now()
    return this.#leases.acquire(limits, (lease) =>
      this.#send(lease, operation, { ...limits, timeout: timeLeft(limits.timeout, start) }, begin),
    )
  }

  #send<T>(lease: Lease, operation: Operation<T>, limits: CallLimits, begin?: CallBegin): Promise<T> {
    if (begin !== undefined) begin.generation = this.generation
    return lease.remote.call(operation, limits)
  }

  /**
   * All that the session has when the calls before have ended, and what of it is left out.
   *
   * @throws {UnsupportedError} where the engine cannot tell, or can no more
   */
  checkpoint(limits: CallLimits = {}): Promise<CheckpointTaken> {
    return this.#counted(() => this.#inTurn(async () => this.#taken(await this.#call(checkpoint(), limits))))
  }

  #taken(omitted: readonly OmittedPart[]): CheckpointTaken {
    if (this.#keeping === undefined) throw refusals.notKept()
    return this.#keeping.taken(omitted)
  }

  async hibernate(reason: HibernateReason): Promise<boolean> {
    const isAwaited = reason === 'asked' || reason === 'drained'
    const left = this.#keeping?.hibernate(reason, isAwaited) ?? Promise.resolve(false)
    return isAwaited ? keptAlive(left) : left
  }

  /**
   * Takes a checkpoint once the calls before have ended. It is in the store of the host when this resolves, where there is one.
   *
   * @throws {UnsupportedError} where there are no checkpoints of the session
   */
  async keep(): Promise<void> {
    if (this.isHibernated) return
    await this.#counted(() => this.#keptInTurn(), true)
  }

  /** Behind the calls before. A checkpoint in the background, for which it may wait, does not keep the process alive. */
  #keptInTurn(): Promise<void> {
    return keptAlive(
      this.#inTurn(() => this.#leases.acquire({}, async (lease) => this.#keeping?.keepNow(lease))),
    )
  }

  /** Resolves when what calls have changed that were answered is in the store. @throws what the store has thrown */
  async settleStore(): Promise<void> {
    await this.#keeping?.settle()
  }

  /**
   * As `hibernate`, once the calls before have ended.
   *
   * @throws {UnsupportedError} where its host stores nothing of it
   */
  async hibernateWhenIdle(): Promise<boolean> {
    this.#leases.requireUnclosed()
    this.#register()
    const keeping = this.#keeping
    if (keeping?.stored === undefined) throw refusals.notStored()
    // Its checkpoint comes behind the calls before. It counts, so that nobody else ends its lease meanwhile.
    if (this.#calls.pending > 0) await this.#counted(() => this.#keptInTurn(), true)
    return this.hibernate('asked')
  }

  /**
   * Puts other facts in the place of all that the session has. Calls that were made before end first, later ones wait. Where
   * the shell cannot take the facts in, the session has what it had.
   *
   * @throws {SnapshotError} where they are more than the session may have, or its engine refuses them
   */
  async restore(facts: CheckpointFacts): Promise<void> {
    const kept = keptOf(facts, this.#config)
    await this.#counted(() => this.#inTurn(() => this.#leases.restart(kept)))
  }

  /**
   * Makes a call in the open session, and blocks this thread until it is answered.
   *
   * @throws {UnsupportedError} where there is no session, or it is in another process
   */
  block<T>(operation: BlockingOperation<T>, limits: CallLimits = {}): T {
    const settled = this.#began()
    try {
      return this.#oversight().block(operation, limits, () =>
        this.#blockable().blocking.call(operation, limits),
      )
    } catch (error) {
      settled(error)
      throw error
    } finally {
      settled()
    }
  }

  hostCloses(error: SandboxError): void {
    this.#overseen?.close(error)
  }

  /** Ends the session for good. Idempotent; pending calls reject with `CLOSED`. */
  close(reason: CloseReason = 'closed'): Promise<void> {
    this.#closing ??= outsideRequests(() => {
      const lease = this.#end(reason)
      const closing = [lease?.close(), this.#keeping?.leaving]
      this.#registration?.closed(reason)
      if (reason === 'closed') closing.push(this.#keeping?.stored?.delete())
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
    this.#keeping?.stop()
    this.#overseen?.close(refusals.closed(reason))
    return this.#leases.end(reason)
  }

  /** A call is use of the sandbox for as long as it is pending. @param keeps - whether it changes nothing of the session. */
  async #counted<T>(call: () => Promise<T>, keeps = false): Promise<T> {
    const settled = this.#began(keeps)
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
  #began(keeps = false): (error?: unknown) => void {
    const start = performance.now()
    let settled = false
    this.#calls.pending += 1
    this.#calls[keeps ? 'keeping' : 'made'] += 1
    this.#registration?.began()
    if (!keeps) this.#keeping?.used()
    return (error) => {
      if (settled) return
      settled = true
      this.#calls.pending -= 1
      if (keeps) this.#calls.keeping -= 1
      const code = error instanceof SandboxError ? error.code : undefined
      if (!keeps) this.#keeping?.settled()
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

  /** What is known and decided of its calls. @throws {SandboxClosedError} */
  #oversight(): CallOversight {
    this.#leases.requireUnclosed()
    if (this.#overseen !== undefined) return this.#overseen
    const { id, labels, shell } = this
    const registration = this.#register()
    this.#overseen = new CallOversight(this.#config, registration, {
      policies: () => this.#policies(registration),
      secrets: this.#secrets,
      sandbox: () => Object.freeze({ id, labels, shell, generation: this.generation }),
    })
    return this.#overseen
  }

  /** What decides on its calls: that of the host first. @throws {SandboxClosedError} where the sandbox is collected */
  #policies(registration: SessionRegistration): readonly Policy[] {
    const own = this.#owner.policies()
    if (own === undefined) throw refusals.closed('dropped')
    return [...registration.policies, ...own]
  }

  /** Takes the sandbox to its host, once. */
  #register(): SessionRegistration {
    if (this.#registration !== undefined) return this.#registration
    const { host, id, snapshots } = this.#owner
    const registration = (host ?? defaultHost()).register(this)
    const { store } = registration
    this.#registration = registration
    const stored =
      store === undefined || id === undefined || snapshots === undefined
        ? undefined
        : new StoredSession({ id, store, form: snapshots, registration, isNext: !this.#beginsAsGiven })
    this.#keeping = new SessionKeeping({
      config: this.#config,
      continuity: this.#continuity,
      leases: this.#leases,
      calls: this.#calls,
      registration,
      stored,
    })
    return registration
  }
}
