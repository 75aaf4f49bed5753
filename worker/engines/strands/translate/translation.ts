import type { Command } from 'unbash'
import type { Functions } from './facts.ts'
import type { Refusal } from './refusal.ts'

/** What runs in the place of a command. */
export interface Translated {
  readonly text: string
  /** The part of the text that defines functions, and the rest. */
  readonly definitions: string
  readonly body: string
  /** Texts of files that have to be there, by path. */
  readonly files: ReadonlyMap<string, string>
  /** It reads its standard input. */
  readonly reads: boolean
  /** What the session has after it. */
  readonly session: SessionFacts
}

/** A command in the engine's language, a reason why it is not run, or undefined where it cannot be read. */
export type Translation = Translated | Refusal | undefined

/** What a file is that runs: a script of the shell, one in lua, or none. */
export type OfScript = Translated | 'lua' | 'missing'

/** What is known of a session from the commands that it has run. */
export interface SessionFacts {
  readonly functions: Functions
  /** `set -o pipefail` may have run. */
  readonly pipefail: boolean
}

/** What is known of the place where a script runs. */
export interface TranslationOptions {
  /** What \`$0\` is; the session's where it is left out. */
  readonly zero?: string
  /** It is the text of a `sh -c` that another program runs: `$0` is known when it runs, and there is no standard input. */
  readonly isInner?: boolean
  /** Commands that run a script of the sandbox, with what it is. */
  readonly scripts?: ReadonlyMap<Command, OfScript>
  /** Where standard error of each command goes. */
  readonly errors?: string
  /** It runs in the shell itself: `return` ends it. */
  readonly isSourced?: boolean
  /** It has a standard input. */
  readonly input?: boolean
  /** What the session has from earlier commands. */
  readonly session?: SessionFacts
  /** Here-documents at top level too are files: the text is run in parts. */
  readonly inParts?: boolean
}
