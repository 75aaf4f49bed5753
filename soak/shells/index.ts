import type { EngineName } from '../../src/contract/lease.ts'
import { bash } from './bash.ts'
import type { SoakShell } from './shell.ts'
import { strands } from './strands.ts'

/** The shells of runs, by name. */
export const soakShells: Readonly<Record<EngineName, SoakShell>> = { bash, strands }
