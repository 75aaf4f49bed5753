import { performance } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import { outsideRequests } from '../async/outside-requests.ts'
import { timeLeft } from '../async/time-left.ts'
import { resolveCredentials } from '../config/credentials.ts'
import type { PolicyRules } from '../contract/policy-rules.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import type { CloseReason } from '../host/end-reasons.ts'
import type { SessionRegistration } from '../host/session-registration.ts'
import { OpenRequest } from '../places/open-request.ts'
import { mergeRules } from '../policy/merge-rules.ts'
import type { Policy } from '../policy/types.ts'
import { abortError } from '../sandbox/abort-error.ts'
import { lossError } from '../sandbox/loss-error.ts'
import { bareRecord } from './bare-record.ts'
import type { CallLimits } from './call-limits.ts'
import type { Continuity } from './continuity.ts'
import { type KeptCheckpoint, keptOf } from './kept-checkpoint.ts'
import { Lease, type LeaseOptions } from './lease.ts'
import { checkpoint } from './operations.ts'
import * as refusals from './refusals.ts'
import { notRestored, notTakenIn, restoreLease } from './restore-lease.ts'
import type { HeldConfig } from './session-config.ts'
import type { SandboxStatus } from './status.ts'
import type { StoredSession } from './stored-session.ts'

/** What the leases of a sandbox have of it. */
export interface LeasesOwner extends Pick<LeaseOptions, 'onConflicts' | 'onEgress' | 'hostCommands'> {
  readonly config: HeldConfig
  readonly continuity: Continuity
  /** The number of its first session. */
  readonly generation: number
  /** Told the tokens that a session is to begin with. */
  readonly onTokens: (tokens: readonly string[]) => void
  /** What decides on the calls of the sandbox. */
  policies(): readonly Policy[]
  /** Takes the sandbox to its host, once. */
  register(): { readonly registration: SessionRegistration; readonly stored: StoredSession | undefined }
}

/** Tells the host that a session can be used; `durationMs` since it was asked for. */
type Opened = (registration: SessionRegistration, durationMs: number) => void

/**
 * The leases of one sandbox, one after another: opens one when a call needs it, reports its loss once, and opens the next.
 */
export class Leases {
  readonly #owner: LeasesOwner
  #lease: Lease | undefined
  #opening: { readonly lease: Promise<Lease>; readonly request: OpenRequest } | undefined
  /** Callers that wait for the opening; a later caller must not overtake them. */
  #waiting = 0
  #endedSessions: number
  #closedFor: CloseReason | undefined

  constructor(owner: LeasesOwner) {
    this.#owner = owner
    this.#endedSessions = owner.generation - 1
  }

  get status(): Exclude<SandboxStatus, 'hibernated'> {
    if (this.#closedFor !== undefined) return 'closed'
    if (this.#opening !== undefined) return 'opening'
    if (this.#lease === undefined) return 'new'
    return this.#lease.loss === undefined ? 'open' : 'lost'
  }

  /** The number of the session that the next call runs in, from 1. */
  get generation(): number {
    return 1 + this.#endedSessions + (this.#lease?.loss === undefined ? 0 : 1)
  }

  /** The open lease, for a caller that overtakes nobody. */
  get ready(): Lease | undefined {
    return this.#waiting > 0 ? undefined : this.open
  }

  /** The open lease, for what is no call of the sandbox. */
  get open(): Lease | undefined {
    const isOpen = this.#closedFor === undefined && this.#lease?.loss === undefined
    return isOpen ? this.#lease : undefined
  }

  /** @throws SandboxClosedError where the sandbox is closed */
  requireUnclosed(): void {
    if (this.#closedFor !== undefined) throw refusals.closed(this.#closedFor)
  }

  /** No lease is opened any more. @returns the last one */
  end(reason: CloseReason): Lease | undefined {
    this.#closedFor = reason
    this.#opening?.request.withdraw()
    return this.#lease
  }

  /** Lets go of an open lease, whose session goes on in the next one. */
  leave(lease: Lease): Promise<void> {
    this.#lease = undefined
    return lease.close()
  }

  /** Waits for a lease and uses it before any caller that comes later. */
  async acquire<T>(limits: CallLimits = {}, use: (lease: Lease) => Promise<T>): Promise<T> {
    this.requireUnclosed()
    const { signal } = limits
    if (signal?.aborted) throw abortError(signal)
    this.refuseLost()
    const start = performance.now()
    let opened = this.#opening?.lease ?? this.#unlost ?? this.#startOpening()
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

  /**
   * Opens a lease that begins with other facts, in the place of the open one. Calls that were made before end first, later ones
   * wait.
   */
  async restart(kept: KeptCheckpoint): Promise<void> {
    const { ready } = this
    const waits = ready === undefined && (this.#opening !== undefined || this.#unlost !== undefined)
    this.#waiting += 1
    try {
      if (waits) await this.acquire({}, (lease) => this.#replace(lease, kept))
      else await this.#replace(ready, kept)
    } finally {
      this.#waiting -= 1
    }
  }

  /** Gives the open lease up for one that begins with other facts. Callers that come now wait for that one. */
  #replace(old: Lease | undefined, kept: KeptCheckpoint): Promise<Lease> {
    if (this.#closedFor !== undefined) return Promise.reject(refusals.closed(this.#closedFor))
    return this.#begin(
      () => this.#request(kept),
      async (request) => {
        const before = old === undefined ? undefined : await this.#giveUp(old)
        request.throwIfCancelled()
        const had = this.#owner.continuity.replace(kept)
        const wasStored = this.#owner.register().stored?.isHibernated === true
        try {
          const lease = await this.#openLease(request, kept)
          if (wasStored) this.#endedSessions += 1
          return lease
        } catch (error) {
          if (this.#closedFor === undefined) this.#owner.continuity.replace(before ?? had)
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
    const before = isTold ? this.#owner.continuity.replace(undefined) : undefined
    await lease.close()
    if (this.open === lease) {
      this.#lease = undefined
      this.#endedSessions += 1
    }
    return before
  }

  /** The lease that is not lost, for callers that wait behind others. */
  get #unlost(): Promise<Lease> | undefined {
    return this.#lease?.loss === undefined ? this.#lease && Promise.resolve(this.#lease) : undefined
  }

  /** @throws WorkerLostError where a loss is to be reported, or the sandbox ends with it */
  refuseLost(): void {
    const loss = this.#lease?.loss
    // Where the next session goes on from what this one had, nothing was lost but the calls that were pending.
    if (loss === undefined || this.#owner.continuity.isUnbroken) return
    const unreported = this.#lease?.takeUnreportedLoss()
    if (unreported !== undefined) throw unreported
    if (this.#owner.config.onLost === 'fail') throw lossError(loss)
  }

  #startOpening(): Promise<Lease> {
    const { stored } = this.#owner.register()
    if (stored?.isNext === true) return this.#wake(stored)
    const { checkpoint } = this.#owner.continuity
    return this.#begin(
      () => this.#request(checkpoint),
      (request) => this.#openLease(request, checkpoint),
    )
  }

  /** Opens a lease with what the store has; where that is nothing, as the config says. */
  #wake(stored: StoredSession): Promise<Lease> {
    const start = performance.now()
    return this.#begin(
      () => this.#request(undefined),
      async (request) => {
        const kept = await this.#load(stored, request)
        this.#owner.continuity.replace(kept)
        if (kept === undefined) return this.#openLease(request, undefined)
        request.record = this.#record(kept, request.record.credentials)
        const lease = await this.#openLease(request, kept, (host) => host.woken(performance.now() - start))
        stored.isAt(this.#owner.continuity.version)
        return lease
      },
    )
  }

  async #load(stored: StoredSession, request: OpenRequest): Promise<KeptCheckpoint | undefined> {
    try {
      const facts = await Promise.race([stored.load(), request.cancelled()])
      return facts && keptOf(facts, this.#owner.config)
    } catch (error) {
      this.#owner.register().registration.rejected(request, error)
      throw error
    }
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
      request.over()
      if (this.#opening?.lease === lease) this.#opening = undefined
    }
    outsideRequests(() => lease.then(() => request.over(), over))
    return lease
  }

  /** Tokens are revealed at each opening, so that the next session uses a rotated one. */
  #request(checkpoint: KeptCheckpoint | undefined): OpenRequest {
    const { engine, record } = this.#owner.config
    const credentials = resolveCredentials(record.credentials)
    this.#owner.onTokens(credentials.map(({ token }) => token))
    return new OpenRequest(engine, this.#record(checkpoint, credentials))
  }

  #record(checkpoint: KeptCheckpoint | undefined, credentials: ShellRecord['credentials']): ShellRecord {
    const { record } = this.#owner.config
    const own = checkpoint?.isWhole === true ? bareRecord(record, checkpoint) : record
    const restores = checkpoint === undefined ? {} : { restores: true }
    return { ...own, credentials, ...restores, ...this.#rules }
  }

  /** What bash refuses where a command is dispatched and a file is opened. */
  get #rules(): { readonly rules?: PolicyRules } {
    if (this.#owner.config.record.engine !== 'bash') return {}
    const rules = mergeRules(this.#owner.policies().flatMap((policy) => policy.rules ?? []))
    return rules === undefined ? {} : { rules }
  }

  async #openLease(
    request: OpenRequest,
    checkpoint: KeptCheckpoint | undefined,
    opened: Opened = (host, durationMs) => host.opened(durationMs),
  ): Promise<Lease> {
    const start = performance.now()
    const tellOpened = (registration: SessionRegistration) =>
      request.inCaller(() => opened(registration, performance.now() - start))
    const { registration, stored } = this.#owner.register()
    const place = await registration.open(request)
    if (this.#closedFor !== undefined) {
      place.endpoint.close()
      place.retire()
      throw refusals.closed(this.#closedFor)
    }
    const { continuity, config, onConflicts, onEgress, hostCommands } = this.#owner
    let isOpen = checkpoint === undefined
    if (isOpen) {
      continuity.begin()
      tellOpened(registration)
    }
    const lease = new Lease(place, {
      ...config,
      commandLimiter: registration.commandLimiter,
      keepsCallers: () => registration.tellsEgress,
      onConflicts,
      onEgress,
      onInterrupt: config.onInterrupt === 'keep' ? 'keep' : 'reset',
      onCheckpoint: (part) => continuity.take(part),
      onAnswered: () => continuity.answered(),
      onLost: ({ code }) => {
        continuity.lost(code)
        if (isOpen) registration.lost(code)
      },
      hostCommands,
    })
    if (checkpoint !== undefined) {
      await this.#restore(lease, checkpoint, request)
      isOpen = true
      tellOpened(registration)
    }
    stored?.opened()
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
      this.#owner.register().registration.rejected(request, failure)
      throw failure
    }
  }

  /** The loss is reported now, and the next call opens a session that begins afresh. */
  #notRestored(error: unknown): Error {
    this.#owner.continuity.drop()
    this.#lease?.takeUnreportedLoss()
    return notRestored(this.#lease?.loss, error)
  }
}
