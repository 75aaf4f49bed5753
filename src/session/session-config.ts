import type { Continuation } from '../config/continuation.ts'
import type { ResolvedCredential } from '../config/credentials.ts'
import type { Oversight } from '../config/oversight.ts'
import type { Isolation } from '../contract/isolation.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import type { HostEngine } from '../engines/host-engine.ts'
import type { CheckpointBounds } from './kept-checkpoint.ts'

/** A validated config as a session needs it. */
export interface SessionConfig extends Continuation, Oversight {
  readonly engine: HostEngine
  /** What crosses to the worker, once `resolveCredentials` has revealed its tokens. */
  readonly record: UnopenedRecord
  /** Undefined: what the host gives. */
  readonly isolation: Isolation | undefined
  /** Calls that may wait at once. */
  readonly maxPending: number
  /** What may be kept of a session. Undefined: nothing, because its engine has no checkpoints. */
  readonly checkpoint?: CheckpointBounds
}

/** The same as its session holds it: without the policies, because a function may hold the sandbox. */
export type HeldConfig = Omit<SessionConfig, 'policies'>

/** A shell's record before its credentials are revealed. */
export type UnopenedRecord<Of extends ShellRecord = ShellRecord> = Of extends ShellRecord
  ? Omit<Of, 'credentials'> & { readonly credentials: readonly ResolvedCredential[] }
  : never
