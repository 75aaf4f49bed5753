import { arithmetic } from './arithmetic.ts'
import type { OwnCommand } from './command.ts'
import { runFile } from './run-file.ts'
import { bash, sh } from './shell.ts'
import { noteSourced, parseEval, save } from './state-commands.ts'
import { trap } from './trap.ts'

/** All commands that are ours, or stand before one of just-bash. */
export const OWN_COMMANDS: readonly OwnCommand[] = [save, parseEval, noteSourced, arithmetic, runFile, bash, sh, trap]
