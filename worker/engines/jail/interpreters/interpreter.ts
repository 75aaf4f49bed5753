import type { BashStart } from '../scripts/bash-state.ts'
import type { CommandLine } from '../session/command-line.ts'

/** What the driver knows of the shell that runs the commands of a session. */
export interface Interpreter {
  /** How it names itself on standard error. */
  readonly name: 'bash' | 'sh'
  /** The command of the supervisor that starts it; the variable `state` names the script that it begins with. */
  readonly command: string
  /** The line that it is sent at its start; empty where it begins by itself. */
  readonly begin: string
  /**
   * Where its lines come from. `'file'`: it waits at the end of each until there is a next one. `'pipe'`: the text of a command is
   * in a file of its own.
   */
  readonly reads: 'file' | 'pipe'
  /** The line that makes it as old as a shell that begins; absent where it does not know its age. */
  readonly clockLine?: (sequence: number) => string
  /** Scripts that the jail has for it, by name. */
  scripts(start: BashStart): Readonly<Record<string, string>>
  /** The line that has it run a command. */
  commandLine(line: CommandLine): string
  /** The line that has it go to a directory. */
  enterLine(path: string, sequence: number): string
  /** The line that prints a variable. */
  variableLine(name: string, sequence: number): string
  /** The line that sets a variable and exports it. */
  exportLine(name: string, value: string, sequence: number): string
  /** The text of a trap of `EXIT` that is not the driver's, as the shell prints it; undefined where there is none. */
  trapOf(printed: string): string | undefined
  /** Its messages as they are without the driver. @param command - the text that it runs */
  messages(command: string): (text: string) => string
}
