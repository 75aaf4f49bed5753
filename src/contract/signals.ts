import type { BlockingCall } from './blocking.ts'
import type { CheckpointPart } from './checkpoint.ts'
import type { LossData } from './errors.ts'
import type { CommandAnswer, CommandCall, FileCall, OutputChunk } from './host-commands.ts'
import type { Outcome } from './shell-api.ts'

/** What a host sends on a lease's port besides calls: a call that its thread blocks on. `id` numbers it among the lease's calls. */
export interface BlockSignal {
  readonly kind: 'block'
  readonly id: number
  readonly call: BlockingCall
}

/** A function of the caller has ended. `id` is that of the {@link CommandSignal}. */
export interface AnswerSignal {
  readonly kind: 'answer'
  readonly id: number
  readonly answer: CommandAnswer
}

/** A function of the caller reads or writes a file while its command waits. `id` numbers such requests of a lease. */
export interface FileSignal {
  readonly kind: 'file'
  readonly id: number
  /** The `id` of the {@link CommandSignal}. */
  readonly command: number
  readonly file: FileCall
}

/** What a worker sends on a lease's port besides replies: the session is over. */
export interface LostSignal {
  readonly kind: 'lost'
  readonly loss: LossData
}

/** What a worker sends before the reply of a call that changed something; null where no checkpoint can be kept any more. */
export interface CheckpointSignal {
  readonly kind: 'checkpoint'
  readonly part: CheckpointPart | null
}

/** A piece of the output of the call `call`, which still runs. */
export interface OutputSignal extends OutputChunk {
  readonly kind: 'output'
  readonly call: number
}

/** The call `call` runs a command that is a function of the caller. `id` numbers such requests of a lease. */
export interface CommandSignal extends CommandCall {
  readonly kind: 'command'
  readonly id: number
  readonly call: number
}

/** Characters of the address of a request that a worker tells, at most. */
export const LONGEST_TOLD_URL = 16 * 1024

/** A request of the shell to the network may go out, or not. What the proxy of a cell sees is not told. */
export interface EgressSignal {
  readonly kind: 'egress'
  readonly method: string
  /** Without user name, query and fragment: its first {@link LONGEST_TOLD_URL} characters. */
  readonly url: string
  readonly allowed: boolean
  /** The first address that is connected to, where it is allowed. */
  readonly address?: string
  /** Why it is not. A word of the host side. */
  readonly reason?: string
}

/** A request that was allowed is over. */
export interface EgressEndSignal {
  readonly kind: 'egressEnd'
  readonly method: string
  readonly url: string
  readonly status?: number
  /** Bytes of bodies. */
  readonly sent: number
  readonly received: number
  /** Seconds. */
  readonly duration: number
  readonly reason?: string
}

/** The command with that `id` has ended before its function did. */
export interface CommandEndSignal {
  readonly kind: 'commandEnd'
  readonly id: number
}

/** The outcome of a {@link FileSignal}: the content that was read, or null. */
export interface FileDoneSignal {
  readonly kind: 'fileDone'
  readonly id: number
  readonly outcome: Outcome<Uint8Array | null>
}

/** What a host sends besides Comlink's messages. */
export type HostSignal = BlockSignal | AnswerSignal | FileSignal
/** What a worker sends besides Comlink's messages. */
export type WorkerSignal =
  | LostSignal
  | CheckpointSignal
  | OutputSignal
  | CommandSignal
  | CommandEndSignal
  | FileDoneSignal
  | EgressSignal
  | EgressEndSignal

/** How a signal is posted. No message of Comlink has this field. */
export interface SignalMessage<S extends HostSignal | WorkerSignal = HostSignal | WorkerSignal> {
  readonly signal: S
}
