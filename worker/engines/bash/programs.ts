import { type Bash, type CommandContext, type ExecResult, unlikePinned } from './just-bash.ts'

/** A program of just-bash as it keeps it. One of ours has the program whose name it took. */
export interface Program {
  execute: (args: string[], context: CommandContext) => Promise<ExecResult>
  readonly internalIsExtension?: boolean
  readonly internalOriginalCommand?: Program
}

/**
 * The programs of an interpreter, by their names.
 *
 * @throws {TypeError} where this is not the pinned version of just-bash.
 */
export function programsOf(bash: Bash): ReadonlyMap<string, Program> {
  const programs: unknown = Reflect.get(bash, 'commands')
  if (!(programs instanceof Map)) throw unlikePinned('keeps its programs')
  return programs
}
