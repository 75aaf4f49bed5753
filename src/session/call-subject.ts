import type { FileOperation } from '../policy/types.ts'

/** A command that is asked for, or code. */
export interface CommandSubject {
  readonly kind: 'command' | 'code'
  /** The command or the code. */
  readonly text: string
  /** The language of code. */
  readonly language?: string
  /** The directory that the caller gave. */
  readonly cwd?: string | undefined
}

/** Commands of one call. */
export interface CommandsSubject {
  readonly kind: 'commands'
  readonly texts: readonly string[]
  readonly cwd?: string | undefined
}

/** A file operation that is asked for. */
export interface FileSubject {
  readonly kind: 'file'
  readonly operation: FileOperation
  readonly path: string
  /** Where a move or copy leads to. */
  readonly to?: string
  /** Bytes that are given. */
  readonly bytes?: number
}

/** What a call is asked for: what policies decide on, and what events tell. */
export type CallSubject = CommandSubject | CommandsSubject | FileSubject
