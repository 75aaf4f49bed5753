import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  Outcome,
  ShellDescription,
} from '../../../../src/contract/shell-api.ts'
import { addToReport, emptyReport, withReport } from '../../../host-files/call-report.ts'
import { ChangeLog } from '../../../host-files/change-log.ts'
import { choose, copyAt } from '../../../host-files/chosen-changes.ts'
import type { Tracked } from '../../../host-files/tracked.ts'
import { writeToHost } from '../../../host-files/write-to-host.ts'
import { HostWriter } from '../../../host-files/writer.ts'
import type { Mount } from '../files/namespace.ts'

/** A bind in a session. */
export interface OpenBind extends Mount {
  readonly tracked: Tracked
  /** From now on nothing is written to the host. */
  stop(): void
}

/** The binds of a session, and what was done to them. */
export class Binds {
  readonly mounts: readonly Mount[]
  readonly #open: readonly OpenBind[]
  readonly #tracked: readonly Tracked[]
  readonly #log: ChangeLog

  constructor(open: readonly OpenBind[]) {
    this.mounts = open
    this.#open = open
    this.#tracked = open.map(({ tracked }) => tracked)
    this.#log = new ChangeLog(this.#tracked)
  }

  changes(since: string | undefined): ChangeReport {
    return this.#log.report(this.#log.check(since))
  }

  async applyChanges({ bind, paths }: ApplyRequest): Promise<Outcome<ApplyReport>> {
    const copy = copyAt(this.#tracked, bind)
    const chosen = choose(copy, paths)
    const report = emptyReport()
    if (!copy.isStopped) {
      using writer = new HostWriter(copy.setup.tree)
      addToReport(report, copy, await writeToHost(copy, writer, chosen))
    }
    const { written, removed, conflicts } = report
    return withReport({ ok: true, value: { written, removed, conflicts } }, report)
  }

  /** What never reaches the host of the copies, and why. */
  skipped(): ShellDescription['skipped'] {
    return this.#tracked.flatMap((tracked) =>
      [...tracked.ledger.withheld].map(([rel, reason]) => ({
        bind: tracked.setup.place.root,
        path: tracked.path(rel),
        reason,
      })),
    )
  }

  stop(): void {
    for (const bind of this.#open) bind.stop()
  }
}
