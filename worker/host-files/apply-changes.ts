import type { ApplyReport, ApplyRequest, Outcome } from '../../src/contract/shell-api.ts'
import { addToReport, emptyReport, withReport } from './call-report.ts'
import { choose } from './chosen-changes.ts'
import type { Tracked } from './tracked.ts'
import { writeToHost } from './write-to-host.ts'
import { HostWriter } from './writer.ts'

/** Writes the pending changes of a copy to the host: those below the chosen paths. @throws FarError `INVALID_CONFIG` for a path outside */
export async function applyChanges(
  copy: Tracked,
  { paths }: Pick<ApplyRequest, 'paths'>,
): Promise<Outcome<ApplyReport>> {
  const chosen = choose(copy, paths)
  const report = emptyReport()
  if (!copy.isStopped) {
    using writer = new HostWriter(copy.setup.tree)
    addToReport(report, copy, await writeToHost(copy, writer, chosen))
  }
  const { written, removed, conflicts } = report
  return withReport({ ok: true, value: { written, removed, conflicts } }, report)
}

/** What never reaches the host of these binds, and why. */
export function withheldOf(
  binds: readonly Tracked[],
): { readonly bind: string; readonly path: string; readonly reason: string }[] {
  return binds.flatMap((tracked) =>
    [...tracked.ledger.withheld].map(([rel, reason]) => ({
      bind: tracked.setup.place.root,
      path: tracked.path(rel),
      reason,
    })),
  )
}
