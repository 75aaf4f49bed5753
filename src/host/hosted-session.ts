import type { InCaller } from '../async/caller-context.ts'
import type { Isolation } from '../contract/isolation.ts'
import type { EngineName } from '../contract/lease.ts'
import type { Place } from '../places/place.ts'
import type { SandboxError } from '../sandbox/errors.ts'
import type { CloseReason, HibernateReason } from './end-reasons.ts'
import type { SandboxNames } from './event-data.ts'
import type { SandboxEvents } from './sandbox-events.ts'

/** The sessions of one sandbox, as its host sees them. It holds no reference to the sandbox, which can be collected. */
export interface HostedSession extends SandboxNames {
  /** The shell that runs its commands. */
  readonly shell: EngineName
  /** The listeners of its sandbox; undefined once that is collected. */
  readonly listeners: SandboxEvents | undefined
  readonly isolation: Isolation
  readonly generation: number
  /** The cell that it has its place in, and its lane there; undefined for one in a thread, or without a place. */
  readonly cell: Place['cell']
  /** What the proxy calls its place alone; undefined where it has no pass of its own. */
  readonly pass: Place['pass']
  /** What is told of a request to the network, without the secrets of the sandbox. */
  hideInRequest(text: string): string
  /** True while a command of it runs. */
  readonly runs: boolean
  /** The async context of the caller of the command that runs; undefined where nobody wants it, or it is not certain. */
  readonly inCaller: InCaller | undefined
  /** Calls that have not settled, those that wait for a place included. */
  readonly pending: number
  /** True where its session is stored, and has no place. */
  readonly isHibernated: boolean
  /** True where its session has a place, and nobody uses it. */
  readonly isIdle: boolean
  /**
   * Stores the session and gives its place up. False: it has no place, is used meanwhile, or would lose a job in the background
   * or a function.
   *
   * @throws {UnsupportedError} where it cannot be stored at all
   * @throws what the store has thrown; the session goes on
   */
  hibernate(reason: HibernateReason): Promise<boolean>
  /** Its host is closed: calls that wait for a policy reject, now and later. */
  hostCloses(error: SandboxError): void
  /** Ends the sandbox. Idempotent. */
  close(reason: CloseReason): Promise<void>
}
