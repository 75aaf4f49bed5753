import type { ErrorCode, LossCode } from '../contract/errors.ts'
import type { Isolation } from '../contract/isolation.ts'
import type { EgressDecision, EgressEnd } from '../network/events.ts'
import { TypedEmitter } from '../sandbox/typed-emitter.ts'
import type { CloseReason, HibernateReason } from './hosted-session.ts'

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
  /** The session of a sandbox was stored, and gave its place up. */
  readonly hibernated: SandboxEventData & {
    /** What made it. */
    readonly reason: HibernateReason
  }
  /** The session of a sandbox came out of the store. */
  readonly woken: SandboxEventData
  /** A checkpoint of a sandbox is in the store of the host. */
  readonly checkpoint: SandboxEventData
  /** The store of the host has failed. The session goes on. */
  readonly storeFailed: SandboxEventData & {
    /** What was to be done. */
    readonly operation: 'put' | 'delete'
    /** The code of the error; `UNKNOWN` where that was none of this package. */
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

const names = [
  'opened',
  'closed',
  'lost',
  'reopened',
  'queued',
  'rejected',
  'hibernated',
  'woken',
  'checkpoint',
  'storeFailed',
  'idle',
  'egress',
  'egressEnd',
] as const satisfies readonly HostEvent[]

/** The listeners of a host. */
export class HostEvents extends TypedEmitter<HostEventMap> {
  constructor() {
    super(names)
  }
}
