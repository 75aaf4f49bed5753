import type { CheckpointFacts, OmittedPart } from '../contract/checkpoint.ts'
import type { HibernateReason } from '../host/end-reasons.ts'
import type { SessionRegistration } from '../host/session-registration.ts'
import type { CallLimits } from './call-limits.ts'
import { CheckpointSchedule } from './checkpoint-schedule.ts'
import type { Continuity } from './continuity.ts'
import type { Lease } from './lease.ts'
import type { Leases } from './leases.ts'
import { checkpoint } from './operations.ts'
import * as refusals from './refusals.ts'
import type { HeldConfig } from './session-config.ts'
import { type CheckpointTaken, isLost, type StoredSession } from './stored-session.ts'

const inBackground: CallLimits = { isBackground: true }

/** How many calls a sandbox has. */
interface CallCounts {
  /** Those that have not settled. */
  readonly pending: number
  /** Those of them that take a checkpoint. */
  readonly keeping: number
  /** Those that were made, without them. */
  readonly made: number
}

/** What keeping has of its session. */
interface KeptSession {
  readonly config: HeldConfig
  readonly continuity: Continuity
  readonly leases: Leases
  readonly calls: CallCounts
  readonly registration: SessionRegistration
  /** Undefined where its host stores nothing of it. */
  readonly stored: StoredSession | undefined
}

/** Keeps what a session has: checkpoints of it, as its config says when, and the whole in the store of its host. */
export class SessionKeeping {
  readonly stored: StoredSession | undefined
  readonly #session: KeptSession
  readonly #schedule: CheckpointSchedule | undefined
  /** What the last checkpoint of a lease has left out. */
  #omitted: { readonly lease: Lease; readonly parts: readonly OmittedPart[] } | undefined
  /** How many calls had been made, and had ended, with the checkpoint that the store has; undefined where that is not certain. */
  #storedCalls: number | undefined
  /** How many calls had been made when the checkpoint was asked for that goes into the store now. */
  #storingCalls: number | undefined
  #leaving: Promise<void> | undefined
  #hibernating: Promise<boolean> | undefined

  constructor(session: KeptSession) {
    this.#session = session
    const { config, stored } = session
    this.stored = stored
    const { checkpoints, checkpoint: bounds } = config
    const isTimed = checkpoints !== 'never' && (checkpoints !== 'call' || stored !== undefined)
    if (isTimed && bounds !== undefined)
      this.#schedule = new CheckpointSchedule(checkpoints, () => this.#keepDue())
  }

  /** Resolves when the lease of a hibernated session is closed. */
  get leaving(): Promise<void> | undefined {
    return this.#leaving
  }

  /** A call was made. */
  used(): void {
    this.#schedule?.used()
  }

  /** A call has settled. */
  settled(): void {
    this.#schedule?.settled(this.#rests)
  }

  /** The session is over. */
  stop(): void {
    this.#schedule?.stop()
  }

  /**
   * Stores the session, and gives its place up. False: it has none, is used meanwhile, or would lose parts in the background.
   * Of those that ask at once the first ends the lease, in which the others would have calls under way: they wait for it.
   *
   * @throws what the store has thrown; the session goes on
   */
  async hibernate(reason: HibernateReason, isAwaited: boolean): Promise<boolean> {
    while (this.#hibernating !== undefined) await this.#hibernating.catch(() => undefined) // Who asked for that one is told.
    if (this.stored?.isHibernated === true) return true
    this.#hibernating = this.#hibernate(reason, isAwaited)
    try {
      return await this.#hibernating
    } finally {
      this.#hibernating = undefined
    }
  }

  async #hibernate(reason: HibernateReason, isAwaited: boolean): Promise<boolean> {
    const { leases, continuity, calls, registration, stored } = this.#session
    const limits = isAwaited ? {} : inBackground
    const lease = leases.ready
    if (stored === undefined || lease === undefined || calls.pending > 0) return false
    const { made } = calls
    await this.#schedule?.taken()
    const isUsed = !this.#handsOver && this.#storedCalls !== made
    const isStored = !isUsed && stored.has(continuity.version)
    const losesParts = !isStored && (await this.#store(stored, lease, limits))
    if (losesParts && !isAwaited) return false
    if (calls.made !== made || calls.pending > 0 || leases.ready !== lease) return false
    this.#leaving = leases.leave(lease)
    continuity.drop()
    this.#schedule?.rest()
    stored.hibernated()
    registration.hibernated(reason)
    await this.#leaving
    return true
  }

  /** Takes a checkpoint of a lease, and puts it into the store where there is one that does not have it yet. */
  async keepNow(lease: Lease): Promise<void> {
    if (this.#rests) await this.#schedule?.taken()
    if (!this.#hasAll) await this.#keep(lease)
  }

  /**
   * Resolves when what calls have changed that were answered is in the store; at once where it is not stored after each call.
   *
   * @throws what the store has thrown
   */
  async settle(): Promise<void> {
    const { stored, continuity, leases } = this.#session
    if (stored === undefined || !this.#handsOver) return
    await this.#schedule?.taken()
    const lease = leases.open
    if (lease !== undefined && !stored.has(continuity.version)) await this.#keep(lease, inBackground)
  }

  /**
   * What the worker has handed over before it answered: no later message has been read.
   *
   * @throws {UnsupportedError} where that is too much to be kept
   */
  taken(omitted: readonly OmittedPart[]): CheckpointTaken {
    const facts: CheckpointFacts | undefined = this.#session.continuity.facts
    if (facts === undefined) throw refusals.notKept()
    return { facts, omitted }
  }

  /** Puts all that the open session has into the store, as no use of it. @returns whether it would lose parts if it ended */
  async #store(stored: StoredSession, lease: Lease, limits: CallLimits): Promise<boolean> {
    const { calls, continuity } = this.#session
    const { made } = calls
    this.#storingCalls = made
    try {
      const taken = this.taken(await this.#omittedOf(lease, limits))
      // A call of several messages may go on behind it.
      const isAll = this.#rests && calls.made === made
      const { version } = continuity
      if (!stored.has(version)) await stored.put(taken, version)
      this.#storedCalls = isAll ? made : undefined
      return taken.omitted.some(isLost)
    } finally {
      this.#storingCalls = undefined
    }
  }

  /** Behind a call that runs the worker is not asked again: what came with the last answer is as of the call before. */
  async #omittedOf(lease: Lease, limits: CallLimits): Promise<readonly OmittedPart[]> {
    const known = this.#omitted?.lease === lease ? this.#omitted.parts : undefined
    const isBehind = limits.isBackground === true && this.#session.calls.pending > 0
    if (known !== undefined && this.#handsOver && isBehind) return known
    const parts = await lease.remote.call(checkpoint(), limits)
    this.#omitted = { lease, parts }
    return parts
  }

  /** Whether each call is answered with what it has changed. */
  get #handsOver(): boolean {
    return this.#session.config.checkpoints === 'call'
  }

  /** Whether no call is pending that may change the session. */
  get #rests(): boolean {
    const { pending, keeping } = this.#session.calls
    return pending === keeping
  }

  /** Whether the store has all that the session has: no call was made since. */
  get #hasAll(): boolean {
    const { stored, continuity, calls } = this.#session
    return stored?.has(continuity.version) === true && this.#rests && this.#storedCalls === calls.made
  }

  async #keep(lease: Lease, limits: CallLimits = {}): Promise<void> {
    const { stored } = this.#session
    if (stored !== undefined) await this.#store(stored, lease, limits)
    else this.taken(await lease.remote.call(checkpoint(), limits))
  }

  /** Takes a checkpoint that is due, unless one is taken that was asked for behind the same calls. */
  async #keepDue(): Promise<void> {
    const { leases, calls } = this.#session
    const lease = leases.open
    if (lease === undefined || this.#hasAll || this.#storingCalls === calls.made) return
    try {
      await this.#keep(lease, inBackground)
    } catch {
      // The next one has it. Who lost the session, or closed it, is told by its calls, and a failed store by an event.
    }
  }
}
