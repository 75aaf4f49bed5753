import type { CommandRule } from './command.ts'

/** Calls a program of the translation by the name of the command, or another. */
export function program(name?: string): CommandRule {
  return (command, work) => work.script.replace(command.nameWord, work.program(name ?? command.name))
}
