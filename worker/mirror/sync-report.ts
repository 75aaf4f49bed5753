import { join } from 'node:path'
import type { CommandOutput, ConflictData } from '../../src/contract/shell-api.ts'
import { FarError } from '../far-error.ts'
import type { Mirror } from './mirror.ts'
import type { Conflict } from './types.ts'

/** Paths that one message names at most. */
const mostNamed = 5

/** A conflict as callers see it. */
export function conflictData(mirror: Mirror, { path, kept }: Conflict): ConflictData {
  return {
    path: mirror.path(path),
    hostPath: join(mirror.setup.source, path),
    ...(kept === undefined ? {} : { kept: mirror.path(kept) }),
  }
}

/** A line on standard error for each conflict. */
export function conflictNotes(conflicts: readonly ConflictData[]): string[] {
  return conflicts.map(({ path, kept }) =>
    kept === undefined
      ? `strands-shell: conflict: the host removed '${path}' while the sandbox changed it; it was written again\n`
      : `strands-shell: conflict: '${path}' changed on both sides; the host's version is kept as '${kept}'\n`,
  )
}

/** A line on standard error for each path that stays in the sandbox from now on. */
export function heldNotes(mirror: Mirror, before: ReadonlySet<string>): string[] {
  return [...mirror.held]
    .filter(([rel]) => !before.has(rel))
    .map(([rel, reason]) => `strands-shell: '${mirror.path(rel)}' is not written to the host: ${reason}\n`)
}

/** The line on standard error for a place that has no room for what came on the host. */
export function fullNote({ setup }: Mirror): string {
  return `strands-shell: not all that changed on the host is in '${setup.place.root}': the sandbox is full (limits.maxInodes)\n`
}

/** The error of changes that the host refused. */
export function syncError(
  written: readonly string[],
  pending: readonly { readonly path: string; readonly reason: string }[],
  output?: CommandOutput,
): FarError {
  const named = pending.slice(0, mostNamed).map(({ path, reason }) => `'${path}' (${reason})`)
  const more = pending.length > mostNamed ? ` and ${pending.length - mostNamed} more` : ''
  const ran = output === undefined ? '' : `The command ran, with exit code ${output.exitCode}, but `
  return new FarError({
    code: 'IO_ERROR',
    path: pending[0]?.path ?? '',
    message:
      `${ran}${pending.length} of ${pending.length + written.length} changes could not be written to the host: ${named.join(', ')}${more}. ` +
      'They are safe in the sandbox and are tried again at the next call: make room for them on the host, or allow them.',
    sync: { written, pending, ...(output === undefined ? {} : { output }) },
  })
}
