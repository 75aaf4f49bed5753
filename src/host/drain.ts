import { setImmediate } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import { SandboxClosedError } from '../sandbox/errors.ts'
import type { HostedSession } from './hosted-session.ts'

/** Where the sessions of a drain go. */
export interface DrainInto {
  /** Whether sessions that rest are stored. Default: false, they are closed. */
  readonly hibernate?: boolean
}

/** What a drain needs of its host. */
interface DrainedHost {
  /** The sessions of sandboxes that were used and not closed. */
  readonly sessions: () => readonly HostedSession[]
  /** Refuses every opening from now on. */
  readonly begin: () => void
  readonly close: () => Promise<void>
  /** Aborted when the host is closed. */
  readonly closed: AbortSignal
}

/** The last part of a host's life: nothing opens, calls end, and every sandbox is stored or closed. */
export class Drain {
  readonly #host: DrainedHost
  /** Sessions that are stored or closed now. */
  readonly #leaving = new Map<HostedSession, Promise<void>>()
  #done: Promise<void> | undefined
  #intoStore = false
  #onLeft: (() => void) | undefined

  constructor(host: DrainedHost) {
    this.#host = host
  }

  get hasBegun(): boolean {
    return this.#done !== undefined
  }

  /** @param grace - seconds in which pending calls may end. The first call's grace and options count. */
  begin(grace: number, { hibernate = false }: DrainInto = {}): Promise<void> {
    if (this.#done === undefined) this.#intoStore = hibernate
    this.#done ??= Promise.resolve().then(() => this.#run(grace))
    return this.#done
  }

  /** A session is open no more. */
  left(): void {
    this.#onLeft?.()
  }

  /** Stores or closes a session that has no pending call. */
  leave(session: HostedSession): Promise<void> {
    const leaving =
      this.#leaving.get(session) ?? this.#leave(session).finally(() => this.#leaving.delete(session))
    this.#leaving.set(session, leaving)
    return leaving
  }

  async #run(grace: number): Promise<void> {
    this.#host.begin()
    const sessions = this.#host.sessions()
    const idle = sessions.filter(({ pending }) => pending === 0).map((session) => this.leave(session))
    await interruptible(this.#unused(), {
      seconds: grace,
      signal: this.#host.closed,
      onTimeout: graceOver,
      onAbort: graceOver,
    }).catch(() => undefined) // The sandboxes that are still open after the grace are closed below.
    const rested = this.#intoStore ? await this.#endDecisions() : []
    const others = this.#host.sessions().filter((session) => !rested.includes(session))
    await Promise.all([
      ...idle,
      ...rested.map((session) => this.leave(session)),
      ...others.map((session) => session.close('drained')),
    ])
    await this.#host.close()
  }

  /** Ends the calls that wait for a policy. @returns the sessions that had no others: they can be stored */
  async #endDecisions(): Promise<readonly HostedSession[]> {
    const used = this.#host.sessions().filter(({ pending }) => pending > 0)
    for (const session of used) session.hostCloses(hostDrains())
    await new Promise((resolve) => setImmediate(resolve))
    return used.filter(({ pending }) => pending === 0)
  }

  async #leave(session: HostedSession): Promise<void> {
    try {
      if (this.#intoStore) await session.hibernate('drained')
    } catch {
      // The host has told that the store failed, and the sandbox is closed all the same.
    }
    if (session.pending === 0) await session.close('drained')
  }

  /** Resolves when no sandbox is open: each closes itself with its last call. */
  async #unused(): Promise<void> {
    while (this.#host.sessions().length > 0 && !this.#host.closed.aborted) {
      await new Promise<void>((resolve) => {
        this.#onLeft = resolve
      })
    }
  }
}

export function hostDrains(): SandboxClosedError {
  return new SandboxClosedError('The host of this sandbox drains: it opens nothing more.')
}

function graceOver(): Error {
  return new Error('The grace is over.')
}
