import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Isolation } from '../../../src/contract/isolation.ts'
import type { EngineName } from '../../../src/contract/lease.ts'
import { runs, until } from '../basics.ts'
import { type ChildEnd, runChild } from '../run-child.ts'

/** What was seen of a process that a signal ended while its sandboxes were in every state. */
export interface ParentDeath {
  readonly signal: ChildEnd['signal']
  readonly stderr: string
  /** Level and moment of each of its sandboxes. */
  readonly states: readonly string[]
  /** How many cells it had. */
  readonly cells: number
  /** Milliseconds from its end to that of its last cell. */
  readonly milliseconds: number
  /** Files that it left. */
  readonly files: readonly string[]
}

/** Has a process end by a signal, in the middle of everything. */
export async function endParent(
  engine: EngineName,
  signal: NodeJS.Signals,
  levels: readonly Isolation[],
  directory: string,
): Promise<ParentDeath> {
  const temporary = join(directory, `tmp-${signal}`)
  mkdirSync(temporary)
  const triggers = mkdtempSync(join(directory, `${signal}-`))
  const words = [engine, triggers, signal, ...levels]
  const end = await runChild('matrix-states', words, 120, { TMPDIR: temporary })
  const start = performance.now()
  const { cells, states }: { readonly cells: readonly number[]; readonly states: readonly string[] } =
    JSON.parse(end.stdout)
  await until(() => !cells.some(runs), 60)
  const milliseconds = performance.now() - start
  const { stderr } = end
  return {
    signal: end.signal,
    stderr,
    states,
    cells: cells.length,
    milliseconds,
    // tsx keeps what it has compiled there.
    files: readdirSync(temporary).filter((name) => !name.startsWith('tsx')),
  }
}
