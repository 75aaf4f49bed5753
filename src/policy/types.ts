import type { EngineName } from '../contract/lease.ts'
import type { PolicyRules } from '../contract/policy-rules.ts'
import type { ScriptAnalysis } from './analysis.ts'

/** Whose call a policy decides on. */
export interface PolicySandbox {
  /** What its host knows the sandbox by; undefined for one without an id. */
  readonly id: string | undefined
  /** The labels of its config. */
  readonly labels: Readonly<Record<string, string>>
  /** Its shell. */
  readonly shell: EngineName
  /** The number of the session, from 1. Where it is lost while a policy decides, the call can run in the next one. */
  readonly generation: number
}

/** What a file operation does. */
export type FileOperation =
  | 'read'
  | 'write'
  | 'append'
  | 'remove'
  | 'list'
  | 'stat'
  | 'makeDirectory'
  | 'move'
  | 'copy'

/** A call that a policy decides on, before it runs. */
export type PolicyCall = {
  /** Whose call it is. */
  readonly sandbox: PolicySandbox
} & (
  | {
      /** A shell command. */
      readonly kind: 'command'
      /** Its text. */
      readonly command: string
      /** The directory that the caller gave; undefined: that of the session. */
      readonly cwd: string | undefined
    }
  | {
      /** Code of a language. */
      readonly kind: 'code'
      /** Its text. */
      readonly code: string
      /** The name of its interpreter, such as `python3`. */
      readonly language: string
      /** The directory that the caller gave; undefined: that of the session. */
      readonly cwd: string | undefined
    }
  | {
      /** A file operation. */
      readonly kind: 'file'
      /** What it does. */
      readonly operation: FileOperation
      /** As the caller gave it; a relative one is taken from the directory of the session. */
      readonly path: string
      /** Where a move or copy leads to; undefined for other operations. */
      readonly to: string | undefined
    }
)

/** What an approver is asked. */
export interface ApprovalRequest {
  /** The call that would run. */
  readonly call: PolicyCall
  /** What its script says of itself. */
  readonly analysis: ScriptAnalysis
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** Says whether a call may run. */
export type Approver = (request: ApprovalRequest) => boolean | Promise<boolean>

/** What a policy decides. */
export type Verdict =
  | 'allow'
  | {
      /** The call does not run. The reason is for the model. */
      readonly deny: string
    }
  | {
      /** This command runs in place of the one that was given. For commands. */
      readonly run: string
    }
  | {
      /** The call runs where the approver says true. */
      readonly ask: Approver
      /** It is not denied. */
      readonly deny?: undefined
      /** Nothing else runs. */
      readonly run?: undefined
    }

/**
 * Decides on a call before it runs. Calls of a sandbox are decided on one at a time, in their order. One that throws, gives
 * something else, or takes longer than its limit denies the call.
 */
export interface Policy {
  (call: PolicyCall, analysis: ScriptAnalysis): Verdict | Promise<Verdict>
  /** What an engine that can refuses besides, where the command is dispatched and the file is opened: bash. */
  readonly rules?: PolicyRules
}
