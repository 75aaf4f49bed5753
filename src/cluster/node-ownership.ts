import { clearTimeout, setTimeout } from '../async/clock.ts'
import type { Labels } from '../host/event-data.ts'
import type { WorkerLostError } from '../sandbox/errors.ts'
import { lossError } from '../sandbox/loss-error.ts'
import { quote } from '../sandbox/show-value.ts'
import type { Ownership, Tenure } from '../service/ownership.ts'
import { ServiceProblem } from '../service/service-problem.ts'
import { clusterFence, type FencedStore } from './fenced-store.ts'
import type { NodeLease } from './node-lease.ts'
import type { Held, Registry } from './registry.ts'

/** The label of events that has the fence of their session. */
const FENCE_LABEL = 'cluster_fence'

/** What sessions are claimed and kept with. */
interface OwnershipParts {
  readonly instance: string
  /** Where clients reach this node, once it listens. */
  readonly url: () => string
  /** Milliseconds. */
  readonly milliseconds: number
  readonly registry: Registry
  readonly lease: NodeLease
  readonly store: FencedStore
  /** Whether a session is kept already. */
  readonly isKept: (id: string) => Promise<boolean>
  /** Stores what a session has that this node hands over. */
  readonly hibernate: (id: string) => Promise<void>
  /** Lets go of the sandbox of a session: nothing more of it is stored, or deleted. */
  readonly letGo: (id: string) => Promise<void>
  /** Seconds that calls under way have when their session is handed over. */
  readonly grace: number
  readonly log: (line: string) => void
}

/** A session that this node has. */
interface Session {
  readonly fence: number
  /** Calls that have begun and have not ended. */
  calls: number
  /** Whether it takes no further call, because another node is to have it. */
  isLeaving: boolean
  /** Whether it was closed for good. */
  isClosed: boolean
  onRest: (() => void) | undefined
}

/** Which sessions of a cluster this node has: what it answers, and what it stores, hangs on it. */
export class NodeOwnership implements Ownership {
  readonly #parts: OwnershipParts
  readonly #sessions = new Map<string, Session>()
  readonly #claims = new Map<string, Promise<void>>()
  readonly #leaving = new Map<string, Promise<void>>()
  #isDraining = false

  constructor(parts: OwnershipParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Sessions that this node has, or is about to have. */
  get load(): number {
    return this.#sessions.size + this.#claims.size
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  get held(): readonly Held[] {
    return [...this.#sessions].map(([id, { fence }]) => ({ id, fence }))
  }

  fenceOf(id: string): number | undefined {
    return this.#sessions.get(id)?.fence
  }

  labelsOf(id: string): Labels {
    const fence = this.fenceOf(id)
    return fence === undefined ? {} : { [FENCE_LABEL]: String(fence) }
  }

  claim(id: string, mustExist = false): Promise<void> {
    if (this.#sessions.get(id)?.isLeaving === false) return Promise.resolve()
    const claim = this.#claims.get(id) ?? this.#claim(id, mustExist).finally(() => this.#claims.delete(id))
    this.#claims.set(id, claim)
    return claim
  }

  enter(id: string): Tenure {
    const session = this.#sessions.get(id)
    if (session === undefined || session.isLeaving || !this.#parts.lease.isHeld) throw notOwner(id)
    session.calls += 1
    let isThere = true
    return {
      fence: session.fence,
      confirm: () => this.#confirm(id, session),
      leave: () => {
        if (!isThere) return
        isThere = false
        session.calls -= 1
        if (session.calls === 0) session.onRest?.()
      },
    }
  }

  async closed(id: string): Promise<void> {
    const session = this.#sessions.get(id)
    if (session === undefined) return
    session.isClosed = true
    this.#sessions.delete(id)
    await this.#release({ id, fence: session.fence }, true)
  }

  async handOver(id: string, grace: number = this.#parts.grace): Promise<void> {
    const session = this.#sessions.get(id)
    if (session === undefined) throw notOwner(id)
    await (this.#leaving.get(id) ?? this.#leave(id, this.#handOver(id, session, grace)))
  }

  /** Takes no session any more, and hands over those that it has. @param grace - seconds. */
  async drain(grace?: number): Promise<void> {
    this.#isDraining = true
    await this.#parts.lease.renew()
    await Promise.allSettled(this.#claims.values())
    await Promise.all([...this.#sessions.keys()].map((id) => this.handOver(id, grace)))
  }

  /** Lets go of sessions that another node has, or may have: what is stored of them stays as it is. */
  drop(ids: readonly string[] = [...this.#sessions.keys()]): void {
    for (const id of ids) {
      this.#sessions.delete(id)
      void this.#leave(id, this.#letGo(id))
    }
  }

  /** Who takes a session up again waits until it has left. */
  async #leave(id: string, leaving: Promise<void>): Promise<void> {
    this.#leaving.set(id, leaving)
    try {
      await leaving
    } finally {
      if (this.#leaving.get(id) === leaving) this.#leaving.delete(id)
    }
  }

  async #claim(id: string, mustExist: boolean): Promise<void> {
    const { registry, instance, url, milliseconds, store, isKept, lease } = this.#parts
    await this.#leaving.get(id)
    if (this.#isDraining || !lease.isHeld) throw notOwner(id)
    const [seen, isRecorded] = await Promise.all([store.seen(id), isKept(id)])
    const node = { instance, url: url(), lease: milliseconds }
    const isKnown = seen > 0 || isRecorded
    if (mustExist && !isRecorded) throw noSession(id)
    const claimed = await registry.claim(node, id, { seen: clusterFence(seen), isKnown })
    if (claimed.outcome === 'young') throw tooYoung(claimed.wait)
    if (claimed.outcome !== 'claimed') throw notOwner(id)
    const { fence } = claimed
    try {
      await store.takeOver(id, fence)
    } catch (error) {
      await this.#release({ id, fence }, false)
      throw error
    }
    if (!lease.isHeld) throw notOwner(id)
    this.#sessions.set(id, { fence, calls: 0, isLeaving: false, isClosed: false, onRest: undefined })
  }

  async #handOver(id: string, session: Session, grace: number): Promise<void> {
    const { hibernate, log } = this.#parts
    session.isLeaving = true
    await rest(session, grace * 1000)
    if (session.calls === 0) {
      try {
        await hibernate(id)
      } catch (error) {
        log(`A session was not stored, and goes on from its last checkpoint: ${String(error)}`)
      }
    }
    // It may have been closed, or lost to another node.
    if (this.#sessions.get(id) !== session) return
    this.#sessions.delete(id)
    await this.#letGo(id)
    await this.#release({ id, fence: session.fence }, false)
  }

  async #confirm(id: string, session: Session): Promise<void> {
    const { lease, milliseconds } = this.#parts
    if (session.isClosed) return
    if (!lease.isHeld) await lease.held(milliseconds)
    if (!lease.isHeld || this.#sessions.get(id) !== session) throw lostHere(id)
  }

  async #letGo(id: string): Promise<void> {
    try {
      await this.#parts.letGo(id)
    } catch (error) {
      this.#parts.log(`A session that another node may have was not closed here: ${String(error)}`)
    }
  }

  /** Where Redis does not hear of it, the session stays with this node, which takes it up again at the next call. */
  async #release(held: Held, isClosed: boolean): Promise<void> {
    const { registry, instance, log } = this.#parts
    try {
      await registry.release(instance, held, isClosed)
    } catch (error) {
      log(`Redis was not told that a session was let go: ${String(error)}`)
    }
  }
}

/** Resolves when a session has no call under way, or after some milliseconds. */
async function rest(session: Session, milliseconds: number): Promise<void> {
  if (session.calls === 0) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    session.onRest = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

function notOwner(id: string): ServiceProblem {
  return new ServiceProblem(
    'NOT_OWNER',
    `This node does not have the session ${quote(id)}, or is about to hand it over. Nothing has run: ask who has it.`,
  )
}

function noSession(id: string): ServiceProblem {
  return new ServiceProblem('NOT_FOUND', `There is no session ${quote(id)}. It was closed, or never was.`)
}

function tooYoung(wait: number): ServiceProblem {
  return new ServiceProblem(
    'UNAVAILABLE',
    'Redis was started again: which node has the session is known in some seconds.',
    { headers: { 'retry-after': String(Math.ceil(wait / 1000)) } },
  )
}

function lostHere(id: string): WorkerLostError {
  const message = `This node may have lost the session ${quote(id)} to another one while the call ran. The next call goes on from the last checkpoint.`
  return lossError({ code: 'NODE_LOST', message }, message)
}
