import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  ConflictData,
  Outcome,
  ShellDescription,
} from '../../../../src/contract/shell-api.ts'
import { applyChanges, withheldOf } from '../../../host-files/apply-changes.ts'
import { byPath, conflictData } from '../../../host-files/call-report.ts'
import { ChangeLog } from '../../../host-files/change-log.ts'
import { copyAt } from '../../../host-files/chosen-changes.ts'
import type { BindName } from '../../../host-files/facts/bind-key.ts'
import type { Tracked } from '../../../host-files/tracked.ts'
import type { Mount } from '../files/namespace.ts'
import type { BindMemory } from './bind-memory.ts'

/** A bind in a session. */
export interface OpenBind extends Mount {
  readonly tracked: Tracked
  /** What a later session needs of it; undefined where it cannot be written. */
  readonly memory: BindMemory | undefined
  /** From now on nothing is written to the host. */
  stop(): void
}

/** The binds of a session, and what was done to them. */
export class Binds {
  readonly mounts: readonly Mount[]
  readonly #open: readonly OpenBind[]
  readonly #tracked: readonly Tracked[]
  /** What came of its marks. */
  readonly log: ChangeLog

  constructor(open: readonly OpenBind[]) {
    this.mounts = open
    this.#open = open
    this.#tracked = open.map(({ tracked }) => tracked)
    this.log = new ChangeLog(this.#tracked)
  }

  changes(since: string | undefined): ChangeReport {
    return this.log.report(this.log.check(since))
  }

  async applyChanges(request: ApplyRequest): Promise<Outcome<ApplyReport>> {
    return applyChanges(copyAt(this.#tracked, request.bind), request)
  }

  /** What never reaches the host of the copies, and why. */
  skipped(): ShellDescription['skipped'] {
    return withheldOf(this.#tracked)
  }

  /** The bind of facts; undefined where the sandbox has none that can be written. */
  withMemory({ mode, destination }: BindName): BindMemory | undefined {
    return this.#open.find(({ path, tracked }) => path === destination && modeOf(tracked) === mode)?.memory
  }

  /** What the binds need in a later session, by name. */
  get memories(): readonly (readonly [BindName, BindMemory])[] {
    return this.#open.flatMap(({ path, tracked, memory }) =>
      memory === undefined ? [] : [[{ mode: modeOf(tracked), destination: path }, memory] as const],
    )
  }

  /** All facts of a former session are there. @returns what the host changed since, where that session had changed it */
  restored(): readonly ConflictData[] {
    const conflicts = this.#open.flatMap(({ tracked, memory }) =>
      (memory?.restored() ?? []).map((conflict) => conflictData(tracked, conflict)),
    )
    return conflicts.sort(byPath)
  }

  stop(): void {
    for (const bind of this.#open) bind.stop()
  }
}

function modeOf({ setup }: Tracked): BindName['mode'] {
  return setup.live ? 'direct' : 'copy'
}
