import { nextTick } from 'node:process'
import type { ErrorCode, LossCode } from '../contract/errors.ts'
import type { Isolation } from '../contract/isolation.ts'
import type { EgressDecision, EgressEnd } from '../network/events.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'
import type { CloseReason } from './hosted-session.ts'

/** What every event of a host says of the sandbox it is about: plain data, never a secret. */
export interface SandboxEventData {
  /** Undefined for a sandbox without one. */
  readonly id: string | undefined
  /** What the sandbox has for itself. */
  readonly isolation: Isolation
  /** The number of the session, from 1. */
  readonly generation: number
}

/** The events of a host, and what their listeners are given. */
export interface HostEventMap {
  /** The first session of a sandbox is open. */
  readonly opened: SandboxEventData
  /** A sandbox that had been opened was closed. */
  readonly closed: SandboxEventData & {
    /** Who or what closed it. */
    readonly reason: CloseReason
  }
  /** The session of a sandbox was lost. */
  readonly lost: SandboxEventData & {
    /** How it ended. */
    readonly reason: LossCode
  }
  /** A sandbox that had lost its session has a fresh one. */
  readonly reopened: SandboxEventData
  /** A sandbox waits for a place. */
  readonly queued: SandboxEventData & {
    /** How many wait, this one included. */
    readonly queued: number
  }
  /** A sandbox could not be opened. */
  readonly rejected: SandboxEventData & {
    /** The code of the error that its caller got; `UNKNOWN` where that was none of this package. */
    readonly reason: ErrorCode | 'UNKNOWN'
  }
  /** The last pending call of a sandbox has settled. */
  readonly idle: SandboxEventData
  /** The proxy of cells has let a request through, or refused it. */
  readonly egress: EgressDecision
  /** A request that it had let through is over. */
  readonly egressEnd: EgressEnd
}

/** The name of an event of a host. */
export type HostEvent = keyof HostEventMap

/** Told of an event of a host. */
export type HostListener<Event extends HostEvent> = (data: HostEventMap[Event]) => void

type Listeners = { readonly [Event in HostEvent]: Set<HostListener<Event>> }

/** The listeners of a host. */
export class HostEvents {
  readonly #listeners: Listeners = {
    opened: new Set(),
    closed: new Set(),
    lost: new Set(),
    reopened: new Set(),
    queued: new Set(),
    rejected: new Set(),
    idle: new Set(),
    egress: new Set(),
    egressEnd: new Set(),
  }

  /** @throws {SandboxConfigError} with the field `event` or `listener` */
  on<Event extends HostEvent>(event: Event, listener: HostListener<Event>): void {
    this.#listenersOf(event, listener).add(listener)
  }

  /** @throws {SandboxConfigError} with the field `event` or `listener` */
  off<Event extends HostEvent>(event: Event, listener: HostListener<Event>): void {
    this.#listenersOf(event, listener).delete(listener)
  }

  /** Lets go of every listener. */
  clear(): void {
    for (const listeners of Object.values(this.#listeners)) listeners.clear()
  }

  /**
   * Tells every listener. What one throws is thrown again on the next tick, as an uncaught exception, like that of a
   * listener of Node's `EventTarget`.
   */
  emit<Event extends HostEvent>(event: Event, makeData: () => HostEventMap[Event]): void {
    const listeners: Set<HostListener<Event>> = this.#listeners[event]
    if (listeners.size === 0) return
    const data = makeData()
    Object.freeze(data)
    for (const listener of [...listeners]) {
      try {
        listener(data)
      } catch (error) {
        nextTick(() => {
          throw error
        })
      }
    }
  }

  #listenersOf<Event extends HostEvent>(
    event: Event,
    listener: HostListener<Event>,
  ): Set<HostListener<Event>> {
    const known = Object.keys(this.#listeners)
    if (!known.includes(event)) {
      throw new SandboxConfigError(`event must be one of ${known.join(', ')}, but is ${showValue(event)}.`, {
        field: 'event',
      })
    }
    if (typeof listener !== 'function') {
      throw new SandboxConfigError(`listener must be a function, but is ${kindOf(listener)}.`, {
        field: 'listener',
      })
    }
    return this.#listeners[event]
  }
}
