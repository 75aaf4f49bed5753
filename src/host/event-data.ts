import type { ErrorCode, LossCode } from '../contract/errors.ts'
import type { Isolation } from '../contract/isolation.ts'
import type { EngineName } from '../contract/lease.ts'
import type { ConflictData, TruncatedOutput } from '../contract/shell-api.ts'
import type { EgressDecision, EgressEnd } from '../network/events.ts'
import type { FileOperation } from '../policy/types.ts'
import type { CloseReason, HibernateReason } from './end-reasons.ts'

/** The labels of a sandbox: what its config says. */
export type Labels = Readonly<Record<string, string>>

/** What tells a sandbox apart. */
export interface SandboxNames {
  /** Undefined for a sandbox without one. */
  readonly id: string | undefined
  /** Numbers the sandboxes of this process, from 1: those without an id, too. */
  readonly sandbox: number
  /** The labels of its config. */
  readonly labels: Labels
}

/** The names alone, of what has more than them. */
export function namesOf({ id, sandbox, labels }: SandboxNames): SandboxNames {
  return Object.freeze({ id, sandbox, labels })
}

/** What every event says of the sandbox it is about: plain data, never a secret. */
export interface SandboxEventData extends SandboxNames {
  /** The name of the event. */
  readonly kind: SandboxEvent
  /** When it was told, in milliseconds since the epoch. */
  readonly time: number
  /** What the sandbox has for itself. */
  readonly isolation: Isolation
  /** The shell that runs its commands. */
  readonly shell: EngineName
  /** The number of the session, from 1. */
  readonly generation: number
  /** Counts the events of the sandbox, from 1. Listened to or not, each has one. */
  readonly sequence: number
}

/** How a call has ended. */
interface CallOutcome {
  /** The code of the error that its caller got; `UNKNOWN` where that was none of this package; undefined where it got a result. */
  readonly error: ErrorCode | 'UNKNOWN' | undefined
  /** Milliseconds that it ran; of a file operation, and of a call that was rejected, those from the call to its end. */
  readonly durationMs: number
  /** Whether a policy has denied it. */
  readonly denied: boolean
}

/** A command or code has ended, or was rejected. */
export interface CommandEventData extends CallOutcome {
  /** The command or the code: its first 4096 characters, with `***` for values of `secretEnv` and tokens of credentials. */
  readonly command: string
  /** All its characters. */
  readonly length: number
  /** The language of code; undefined for a command. */
  readonly language: string | undefined
  /** Undefined where the call was rejected. */
  readonly exitCode: number | undefined
  /** As in the result. */
  readonly timedOut: boolean
  /** As in the result. */
  readonly truncated: false | TruncatedOutput
  /** Bytes of standard output in the result. */
  readonly stdoutBytes: number
  /** Bytes of standard error in the result. */
  readonly stderrBytes: number
  /** What it has changed in mirrored directories of the host: absolute paths in the sandbox, at most 100. */
  readonly changed: readonly string[]
  /**
   * Milliseconds from the call to its result that it did not run: in queues, for a place, for a policy, on the way. Of commands
   * of one call the first tells what all have waited, the others 0.
   */
  readonly waitedMs: number
  /** Milliseconds from its end to this event: what later commands of one `executeMany` took. */
  readonly endedMs: number
}

/** A file operation has ended, or was rejected. */
export interface FileEventData extends CallOutcome {
  /** What it does. */
  readonly operation: FileOperation
  /** As the caller gave it, at most 4096 characters. */
  readonly path: string
  /** Where a move or copy leads to; undefined for other operations. */
  readonly to: string | undefined
  /** Bytes of the content that was read or given; undefined for other operations. */
  readonly bytes: number | undefined
}

/** A policy has not just allowed a call. */
export interface PolicyEventData {
  /** `'run'`: another command runs. `'approved'`: the call runs, because an approver said so. */
  readonly verdict: 'deny' | 'run' | 'approved'
  /** What was asked for: as in the event `command` or `file`. */
  readonly call: 'command' | 'code' | FileOperation
  /** The command, the code or the path, as in the events of those. */
  readonly subject: string
  /** Why it was denied, or the command that runs instead; undefined where it was approved. At most 4096 characters. */
  readonly reason: string | undefined
  /** What the policy or the approver has thrown, at most 4096 characters; the model does not read it. Undefined where nothing was thrown. */
  readonly failure: string | undefined
}

/** Which sandboxes a request to the network can be of. */
export interface EgressSource {
  /**
   * Where there is one, the request is of that sandbox, and the event is about it. A cell may run commands of several Strands
   * Shell sandboxes at once, and its proxy sees the cell. Then the event is about no sandbox: its `sandbox`, `generation` and
   * `sequence` are 0, its `labels` are those that all of them have, and the host alone tells it.
   */
  readonly candidates: readonly SandboxNames[]
}

/** What the events of a sandbox tell, by name. */
export interface SandboxEventFields {
  /** The first session of a sandbox is open. */
  readonly opened: {
    /** Milliseconds from the call that needed it. */
    readonly durationMs: number
  }
  /** A sandbox that had been opened was closed. Calls that this has ended are told before. */
  readonly closed: {
    /** Who or what closed it. */
    readonly reason: CloseReason
  }
  /** The session of a sandbox was lost. */
  readonly lost: {
    /** How it ended. */
    readonly reason: LossCode
  }
  /** A sandbox that had lost its session has a fresh one. */
  readonly reopened: {
    /** Milliseconds from the call that needed it. */
    readonly durationMs: number
  }
  /** A sandbox waits for a place. */
  readonly queued: {
    /** How many wait, this one included. */
    readonly queued: number
  }
  /** A sandbox could not be opened. */
  readonly rejected: {
    /** The code of the error that its caller got; `UNKNOWN` where that was none of this package. */
    readonly reason: ErrorCode | 'UNKNOWN'
    /** Milliseconds from the call that needed it. */
    readonly durationMs: number
  }
  /** The session of a sandbox was stored, and gave its place up. */
  readonly hibernated: {
    /** What made it. */
    readonly reason: HibernateReason
  }
  /** The session of a sandbox came out of the store. */
  readonly woken: {
    /** Milliseconds from the call that needed it. */
    readonly durationMs: number
  }
  /** A checkpoint of a sandbox is in the store of the host. */
  readonly checkpoint: object
  /** The store of the host has failed. The session goes on. */
  readonly storeFailed: {
    /** What was to be done. */
    readonly operation: 'put' | 'delete'
    /** The code of the error; `UNKNOWN` where that was none of this package. */
    readonly reason: ErrorCode | 'UNKNOWN'
  }
  /**
   * The cells of the host are in no jail, because this machine can have none: told once a host. The event is about no sandbox: its
   * `sandbox`, `generation` and `sequence` are 0, and the host alone tells it.
   */
  readonly hardening: {
    /** Why not. */
    readonly reason: string
    /** What to do about it. */
    readonly remedy: string
  }
  /** The last pending call of a sandbox has settled. */
  readonly idle: object
  /** A path of a mirrored directory was changed by the sandbox and by the host during one call. */
  readonly conflict: ConflictData
  /** A command or code has ended. */
  readonly command: CommandEventData
  /** A file operation has ended. */
  readonly file: FileEventData
  /** A policy has denied a call, had it approved, or another command run. */
  readonly policy: PolicyEventData
  /** The proxy of cells, or a bash sandbox, has let a request through, or refused it. */
  readonly egress: EgressDecision & EgressSource
  /** A request that was let through is over. */
  readonly egressEnd: EgressEnd & EgressSource
}

/** The events of a sandbox and of its host, and what their listeners are given. */
export type SandboxEventMap = {
  readonly [Kind in SandboxEvent]: SandboxEventData & {
    /** The name of the event. */
    readonly kind: Kind
  } & SandboxEventFields[Kind]
}

/** The name of an event of a host or a sandbox. */
export type SandboxEvent = keyof SandboxEventFields

/** Every event. */
export const SANDBOX_EVENTS = [
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
  'hardening',
  'idle',
  'conflict',
  'command',
  'file',
  'policy',
  'egress',
  'egressEnd',
] as const satisfies readonly SandboxEvent[]
