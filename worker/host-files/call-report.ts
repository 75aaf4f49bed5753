import { join } from 'node:path'
import type { CommandOutput, ConflictData, Outcome } from '../../src/contract/shell-api.ts'
import { FarError } from '../service/far-error.ts'
import type { HostReport } from './host-report.ts'
import type { Tracked } from './tracked.ts'
import type { Conflict } from './types.ts'

/** The most paths that an output tells. */
const mostChanged = 100

/** The most paths that one message names. */
const mostNamed = 5

/** What a call did to the host, over all mirrors. Paths are absolute, in the sandbox. */
export interface CallReport {
  readonly written: string[]
  readonly removed: string[]
  /** Directories that the sandbox removed and the host keeps. */
  readonly stayed: string[]
  readonly conflicts: ConflictData[]
  readonly failed: { readonly path: string; readonly reason: string }[]
}

/** The report of a call that changed nothing. */
export function emptyReport(): CallReport {
  return { written: [], removed: [], stayed: [], conflicts: [], failed: [] }
}

/** Adds what was done for one mirror. */
export function addToReport(report: CallReport, mirror: Tracked, part: HostReport): void {
  report.written.push(...part.written.map((rel) => mirror.path(rel)))
  report.removed.push(...part.removed.map((rel) => mirror.path(rel)))
  report.stayed.push(...part.stayed.map((rel) => mirror.path(rel)))
  report.conflicts.push(...part.conflicts.map((conflict) => conflictData(mirror, conflict)))
  report.failed.push(...[...part.failed].map(([rel, reason]) => ({ path: mirror.path(rel), reason })))
}

/**
 * A call's outcome with its conflicts, and with an error if changes could not be written to the host.
 *
 * @param output - of the command, where one ran.
 */
export function withReport<T>(outcome: Outcome<T>, report: CallReport, output?: CommandOutput): Outcome<T> {
  const { written, removed, conflicts, failed } = report
  const met = conflicts.length === 0 ? {} : { conflicts }
  if (!outcome.ok || failed.length === 0) return { ...outcome, ...met }
  return { ok: false, error: mirrorError([...written, ...removed], failed, output).data, ...met }
}

/** The output of a command with what it has changed on the host. */
export function withChanged(output: CommandOutput, { written, removed }: CallReport): CommandOutput {
  if (written.length + removed.length === 0) return output
  return { ...output, changed: [...written, ...removed].slice(0, mostChanged) }
}

/** A conflict as it is told. */
export function conflictData(mirror: Tracked, { path, kept }: Conflict): ConflictData {
  return {
    path: mirror.path(path),
    hostPath: join(mirror.setup.source, path),
    ...(kept === undefined ? {} : { kept: mirror.path(kept) }),
  }
}

/** Sorts what has a path. */
export function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1
}

/** The error for changes that the host refused. */
function mirrorError(
  written: readonly string[],
  pending: readonly { readonly path: string; readonly reason: string }[],
  output?: CommandOutput,
): FarError {
  const named = pending.slice(0, mostNamed).map(({ path, reason }) => `'${path}' (${reason})`)
  const more = pending.length > mostNamed ? ` and ${pending.length - mostNamed} more` : ''
  const ran = output === undefined ? '' : `The command ran, with exit code ${output.exitCode}, but `
  return new FarError({
    code: 'MIRROR_FAILED',
    path: pending[0]?.path ?? '',
    message:
      `${ran}${pending.length} of ${pending.length + written.length} changes could not be written to the host: ${named.join(', ')}${more}. ` +
      'They are safe in the sandbox and are tried again at the next call. Remove what is in the way on the host, make room, or remove them in the sandbox.',
    mirror: { written, pending, ...(output === undefined ? {} : { output }) },
  })
}
