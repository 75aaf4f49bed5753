import type { SandboxSummary } from '../../hosted-sandbox/summary.ts'

/** What the tools tell a model of a shell, and how they read what it says. */
export interface ShellGuide {
  /** What its commands are and lack. */
  describe(summary: SandboxSummary): string
  /** What a timeout of a call does to its command where the session is kept, as part of a sentence. */
  readonly interrupted: string
  /** The same as a sentence about a command that was interrupted. */
  readonly afterInterrupt: string
  /** What stays of a command that the sandbox ended at its time limit, as a sentence. */
  readonly afterDeadline: string
  /** What can be written where there are no directories of the host. */
  writable(summary: SandboxSummary): string
  /** What can be written, in answer to a refused write; empty where there is nothing to say. */
  permissionAdvice(summary: SandboxSummary): string
  /** What can run a program's source code. */
  languages(summary: SandboxSummary): readonly string[]
  /** The programs that it has. */
  commandsOf(summary: SandboxSummary): readonly string[]
  /** What it has instead of a command that it lacks; undefined for names that are not known. */
  insteadOf(name: string, summary: SandboxSummary): string | undefined
  /** How it says that a command does not know an option; undefined where no hint helps. */
  readonly missingOptions: MissingOptions | undefined
  /** What it says of each command that it does not know: a global expression whose group is the name. */
  readonly notFound: RegExp
}

/** How a shell says that its commands do not know options, and what is there instead. */
interface MissingOptions {
  /** A global expression with the group name, and one of option, predicate and missing for the option. */
  readonly message: RegExp
  /** A sentence on what to write in the place of an option; undefined where there is none. */
  instead(command: string, option: string): string | undefined
}
