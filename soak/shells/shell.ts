import type { BashConfig } from '../../src/bash/index.ts'
import type { EngineName } from '../../src/contract/lease.ts'
import type { ExecutionResult, HostedConfig, LossCode, ShellHost } from '../../src/index.ts'

/** A host whose sandboxes have the shell of the run. */
/** The shells that a run can have. */
export const SOAK_SHELLS = ['bash', 'strands'] as const satisfies readonly EngineName[]

export type SoakShellName = (typeof SOAK_SHELLS)[number]

export type SoakHost = ShellHost<EngineName>

/** The config of a sandbox: what both shells have, and `commands`, which bash has. */
export type SoakConfig = HostedConfig & Pick<BashConfig, 'binds' | 'allowedUrls' | 'credentials' | 'commands'>

/** A command that ends its session, or may. */
export interface FatalCommand {
  readonly name: string
  /** What its session is lost with. */
  readonly reasons: readonly LossCode[]
  readonly command: string
  /** Seconds after which its call gives up. */
  readonly timeout?: number
  /** True where the session may also survive it. */
  readonly maySurvive?: boolean
}

/** What a run has to know of the shell of its sandboxes. */
export interface SoakShell {
  readonly name: EngineName
  /** The directory that a session begins in. */
  readonly home: string
  /** True where a lost session goes on with what its last call had left, and a command that does not stop ends with its thread. */
  readonly goesOn: boolean
  /** A language other than the shell's own, and a program in it that prints a text. */
  readonly language: string
  readonly printIn: (text: string) => string
  /** A limit that `describe()` tells. */
  readonly limit: readonly [name: string, value: number]
  /** Whether a request was refused because its address is not allowed. */
  readonly isDenied: (result: ExecutionResult) => boolean
  /** A command that does not end by its time limit of `seconds`. `slow` is a URL that answers after the seconds that are put behind it. */
  readonly overdue: (slow: string, seconds: number) => FatalCommand
  /** Commands that end their session at any level. */
  readonly fatal: readonly [FatalCommand, ...FatalCommand[]]
  /** Commands that fill, crash or block the process of their session. */
  readonly havoc: readonly [FatalCommand, ...FatalCommand[]]
}
