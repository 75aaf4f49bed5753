import type { CheckpointPart } from '../contract/checkpoint.ts'
import type { LossData } from '../contract/errors.ts'
import type { ConflictData } from '../contract/shell-api.ts'
import type { CommandTurns } from '../host/command-limiter.ts'
import type { CallAllowances } from './calls-in-flight.ts'
import type { FindHostCommands } from './command-calls.ts'
import type { CheckedEgressSignal } from './egress-signal-schema.ts'

/** How the calls of a lease are supervised. */
export interface Supervision extends CallAllowances {
  readonly maxPending: number
  /** What commands wait for: a command's time begins when it is sent. */
  readonly commandLimiter: CommandTurns
  /** Whether what a command does is told in the async context of its caller; undefined: never. */
  readonly keepsCallers?: (() => boolean) | undefined
  /** Whether output comes before a command has ended. */
  readonly streaming: boolean
  /** Whether an interrupted command ends the session. */
  readonly onInterrupt: 'keep' | 'reset'
  /** Has the engine stop a call that runs, where it can: its session goes on. */
  readonly interrupt: (call: number) => void
  /** Whether a command that does not stop then ends the session: its worker can be ended. */
  readonly endsStuck: boolean
  /** Takes what a call has changed, before the call settles. False: it is not of the contract. Undefined: nothing is handed over. */
  readonly onCheckpoint: ((part: CheckpointPart | null) => boolean) | undefined
  /** Told when a call has been answered: what it has handed over counts. False: that was not of the contract. */
  readonly onAnswered: () => boolean
  /** The functions that commands of the session are. */
  readonly hostCommands: FindHostCommands
  /** Told once, when the session is lost; `reported` where a call has rejected for it. */
  readonly onLost: (loss: LossData, reported: boolean) => void
  /** Told of the conflicts that a call met, before the call settles. Must not throw. */
  readonly onConflicts: (conflicts: readonly ConflictData[]) => void
  /** Told of a request of the shell to the network. Must not throw. */
  readonly onEgress: (signal: CheckedEgressSignal) => void
  /** Told when the worker has closed the connection: it has ended, or will serve nothing more. */
  readonly onClosed: () => void
}
