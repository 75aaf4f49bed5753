import { bash } from './bash.ts'
import type { SoakShell, SoakShellName } from './shell.ts'
import { strands } from './strands.ts'

/** The shells of runs, by name. */
export const soakShells: Readonly<Record<SoakShellName, SoakShell>> = { bash, strands }
