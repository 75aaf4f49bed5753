import type { Command } from 'unbash'
import type { Functions } from './facts.ts'
import type { Refusal } from './refusal.ts'

/** A function that a script defines: its text defines it, and says so. */
export interface Defined {
  readonly name: string
  /** The value of the function's mark once it is defined so: one of this text alone. */
  readonly id: string
  readonly text: string
}

/** A script that defines functions, and what they need. */
export interface DefiningScript {
  readonly definitions: string
  readonly files: ReadonlyMap<string, string>
  /** Names of all that it defines. */
  readonly names: readonly string[]
  /** Those whose text is known. */
  readonly defined: readonly Defined[]
}

/** How functions can come to be of which the text is not known. */
export interface UnseenText {
  /** The script runs text that was not read. */
  readonly runs: boolean
  /** It has commands whose names are known when they run. */
  readonly computes: boolean
  /** It names a command that runs text. */
  readonly names: boolean
  /** Aliases that it defines: they can stand for the name of a function. */
  readonly aliases: readonly string[]
}

/** What runs in the place of a command. */
export interface Translated {
  /** Of a script that another one runs: its text as it was read. */
  readonly source?: string
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
  /** Itself, and the scripts that it runs in the shell itself. */
  readonly scripts: readonly DefiningScript[]
  readonly unseen: readonly UnseenText[]
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
  /** `set -u` may have run. */
  readonly nounset: boolean
  /** Variables that may be readonly. */
  readonly readonly: ReadonlySet<string>
}

/** What is known of the place where a script runs. */
export interface TranslationOptions {
  /** What \`$0\` is; the session's where it is left out. */
  readonly zero?: string
  /** It is the text of a `sh -c` that another program runs: `$0` is known when it runs, and there is no standard input. */
  readonly isInner?: boolean
  /** Commands that run a script of the sandbox, with what it is. */
  readonly scripts?: ReadonlyMap<Command, OfScript>
  /** What scripts and texts inside it run, by kind, options and words; undefined where that has not been looked for. */
  readonly inner?: ReadonlyMap<string, OfScript>
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
