import type { ConflictData } from '../../../../src/contract/shell-api.ts'
import type { Mirror } from './mirror.ts'

/** A line on standard error for each conflict. */
export function conflictNotes(conflicts: readonly ConflictData[]): string[] {
  return conflicts.map(({ path, kept }) =>
    kept === undefined
      ? `strands-shell: conflict: the host removed '${path}' while the sandbox changed it; it was written again\n`
      : `strands-shell: conflict: '${path}' changed on both sides; the host's version is kept as '${kept}'\n`,
  )
}

/** A line on standard error for each path that is withheld from now on. */
export function withheldNotes(mirror: Mirror, before: ReadonlySet<string>): string[] {
  return [...mirror.ledger.withheld]
    .filter(([rel]) => !before.has(rel))
    .map(([rel, reason]) => `strands-shell: '${mirror.path(rel)}' is not written to the host: ${reason}\n`)
}

/** A line on standard error for each directory that the command removed and the host keeps. */
export function stayedNotes(paths: readonly string[]): string[] {
  return paths.map((path) => `strands-shell: '${path}' stays: the host still has something in it\n`)
}

/** The line on standard error for a place that did not accept all changes of the host. */
export function untakenNote({ setup }: Mirror): string {
  return `strands-shell: not all that changed on the host is in '${setup.place.root}': the sandbox is full (limits.maxInodes), or has something else there\n`
}
