import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CommandOutput,
  Outcome,
  ShellDescription,
} from '../../../../src/contract/shell-api.ts'
import {
  addToReport,
  type CallReport,
  emptyReport,
  withChanged,
  withReport,
} from '../../../host-files/call-report.ts'
import { ChangeLog } from '../../../host-files/change-log.ts'
import { choose, copyAt } from '../../../host-files/chosen-changes.ts'
import type { HostListing } from '../../../host-files/tree.ts'
import { writeToHost } from '../../../host-files/write-to-host.ts'
import { HostWriter } from '../../../host-files/writer.ts'
import { FarError } from '../../../service/far-error.ts'
import { changesFiles, type FileOperation } from '../../../service/file-operation.ts'
import type { MirroredCommand, Mirroring } from '../mirroring.ts'
import type { NativeShell } from '../native-shell.ts'
import { bringHostChanges } from './bring-host-changes.ts'
import { CommandNames } from './command-names.ts'
import type { Effects } from './effects/effects.ts'
import { locate } from './locate.ts'
import type { Mirror } from './mirror.ts'
import { noteChangeOf, noteChanges, noteChangesAt } from './note-changes.ts'
import { conflictNotes, stayedNotes, untakenNote, withheldNotes } from './notes.ts'
import { type ReachedIn, resolveReach } from './resolve-reach.ts'
import { scanHostAt, scanHostWithinBounds } from './scan-host.ts'

/** The mirrors and copies of one session. Calls are made one at a time. */
export class Mirrors implements Mirroring {
  readonly mirrors: readonly Mirror[]
  readonly log: ChangeLog
  readonly #live: readonly Mirror[]
  /** Where the sandbox may have changed something that is not recorded yet. */
  #unseen: ReachedIn | 'anything' | undefined
  /** Some of these changes may be moves. */
  #renames = false
  readonly #names: CommandNames

  constructor(shell: NativeShell, mirrors: readonly Mirror[]) {
    this.mirrors = mirrors
    this.#live = mirrors.filter(({ setup }) => setup.live)
    this.log = new ChangeLog(mirrors)
    this.#names = new CommandNames(shell)
  }

  async command(
    request: MirroredCommand | undefined,
    run: () => Promise<CommandOutput>,
  ): Promise<Outcome<CommandOutput>> {
    if (this.#live.length === 0) return { ok: true, value: await run() }
    const full = await this.#bringAll()
    const effects = await this.#names.effectsOf(request?.command)
    if (effects.kind !== 'none') this.#unseen = await this.#reachedBy(effects, request?.scope?.cwd)
    this.#renames ||= effects.renames
    const output = await run().catch(async (error: unknown) => {
      // The command ran at least in part, so its changes are written. Its own error is the one to report.
      await this.#writeAll().catch(() => undefined)
      throw error
    })
    const withheld = this.#live.map(({ ledger }) => new Set(ledger.withheld.keys()))
    const report = await this.#writeAll()
    const notes = [
      ...full,
      ...conflictNotes(report.conflicts),
      ...stayedNotes(report.stayed),
      ...this.#live.flatMap((mirror, index) => withheldNotes(mirror, withheld[index] ?? new Set())),
    ]
    const told = withChanged(output, report)
    const noted = notes.length === 0 ? told : { ...told, stderr: told.stderr + separated(told.stderr, notes) }
    return withReport({ ok: true, value: noted }, report, noted)
  }

  async file<T>(operation: FileOperation, path: string, run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (this.#live.length === 0) return run()
    const place = this.#unseen !== undefined ? 'anywhere' : await locate(this.#live, path)
    if (place === 'elsewhere') return run()
    const writes = changesFiles(operation)
    if (place === 'anywhere') {
      await this.#bringAll()
      if (writes) this.#unseen = 'anything'
      const result = await run()
      return writes ? withReport(result, await this.#writeAll()) : result
    }
    const { mirror, rel } = place
    const scan = scanHostAt(mirror, rel, operation === 'listFiles')
    await bringHostChanges(mirror, scan.found, scan.scope)
    const result = await run()
    // A failed write may leave changes, such as directories made for it: they are found at the next call.
    if (!result.ok && writes) this.#unseen = 'anything'
    if (!writes || !result.ok) return result
    await noteChangeOf(mirror, rel)
    return withReport(result, await this.#write([mirror]))
  }

  async changes(since: string | undefined): Promise<Outcome<ChangeReport>> {
    const mark = this.log.check(since)
    await this.note()
    return { ok: true, value: this.log.report(mark) }
  }

  async note(): Promise<void> {
    await this.#noteLive()
    for (const mirror of this.mirrors) if (!mirror.setup.live) await noteChanges(mirror, true)
  }

  doubtNames(): Promise<void> {
    return this.#names.doubt()
  }

  async applyChanges({ bind, paths }: ApplyRequest): Promise<Outcome<ApplyReport>> {
    const mirror = copyAt(this.mirrors, bind)
    const isChosen = choose(mirror, paths)
    await noteChanges(mirror, true)
    const report = await this.#write([mirror], isChosen)
    const { written, removed, conflicts } = report
    return withReport({ ok: true, value: { written, removed, conflicts } }, report)
  }

  skipped(): ShellDescription['skipped'] {
    return this.mirrors.flatMap((mirror) => {
      const { ledger } = mirror
      const withheld = [...ledger.withheld].map(([path, reason]) => ({ path, reason }))
      return [...ledger.skipped, ...withheld].map(({ path, reason }) => ({
        bind: mirror.setup.place.root,
        path: mirror.path(path),
        reason,
      }))
    })
  }

  stop(): void {
    for (const mirror of this.mirrors) mirror.stop()
  }

  /**
   * Brings the host's changes in, after the sandbox's own are recorded: otherwise they would be overwritten. What the
   * sandbox does not accept is brought in at a later call, since the next command may make room.
   *
   * @returns a line for standard error for each place that did not accept everything.
   */
  async #bringAll(): Promise<string[]> {
    await this.#noteLive()
    const notes: string[] = []
    for (const mirror of this.#live) {
      if (!(await bringHostChanges(mirror, scanHostWithinBounds(mirror)))) notes.push(untakenNote(mirror))
    }
    return notes
  }

  async #writeAll(): Promise<CallReport> {
    await this.#noteLive()
    return this.#write(this.#live)
  }

  /** Where a command may change something. All that was changed before is recorded. */
  async #reachedBy({ kind, reach }: Effects, directory: string | undefined): Promise<ReachedIn | 'anything'> {
    if (kind !== 'files' || reach === 'anything') return 'anything'
    return resolveReach(this.#live, reach, directory)
  }

  async #noteLive(): Promise<void> {
    const unseen = this.#unseen
    if (unseen === undefined) return
    for (const mirror of this.#live) {
      if (unseen === 'anything') await noteChanges(mirror, this.#renames)
      else await noteChangesAt(mirror, unseen.get(mirror) ?? [])
    }
    this.#unseen = undefined
    this.#renames = false
  }

  async #write(mirrors: readonly Mirror[], chosen?: (rel: string) => boolean): Promise<CallReport> {
    const report = emptyReport()
    for (const mirror of mirrors) {
      if (!mirror.ledger.hasPending || mirror.isStopped) continue
      using writer = new HostWriter(mirror.setup.tree)
      const part = await writeToHost(mirror, writer, chosen)
      addToReport(report, mirror, part)
      if (part.stayed.length > 0) await this.#bringBack(mirror, part.stayed)
    }
    return report
  }

  /** Brings directories in again that the sandbox removed and the host keeps. */
  async #bringBack(mirror: Mirror, stayed: readonly string[]): Promise<void> {
    const { ledger } = mirror
    let found: HostListing
    try {
      found = scanHostWithinBounds(mirror)
    } catch (error) {
      if (error instanceof FarError) return // The source is gone: the next call says so.
      throw error
    }
    await bringHostChanges(mirror, found)
    for (const rel of stayed) if (ledger.sandboxAt(rel)?.kind === 'directory') ledger.recordRestored(rel)
  }
}

function separated(stderr: string, notes: readonly string[]): string {
  return `${stderr === '' || stderr.endsWith('\n') ? '' : '\n'}${notes.join('')}`
}
