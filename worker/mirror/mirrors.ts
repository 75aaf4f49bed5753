import { randomUUID } from 'node:crypto'
import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CommandOutput,
  ConflictData,
  Outcome,
  ShellDescription,
} from '../../src/contract/shell-api.ts'
import { FarError } from '../far-error.ts'
import type { FileOperation } from '../guards/file-errors.ts'
import type { Mirroring } from '../mirroring.ts'
import type { NativeShell } from '../native-shell.ts'
import { withinBounds } from './bounds.ts'
import { bringHostChanges } from './bring-host-changes.ts'
import { CommandNames } from './command-names.ts'
import type { HostListing } from './host/tree.ts'
import { HostWriter } from './host/writer.ts'
import { locate } from './locate.ts'
import type { Mirror } from './mirror.ts'
import { noteChangeOf, noteChanges } from './note-changes.ts'
import { scanHost, scanHostAt } from './scan-host.ts'
import { conflictData, conflictNotes, fullNote, heldNotes, syncError } from './sync-report.ts'
import { type HostReport, writeToHost } from './write-to-host.ts'

/** The mirrors and copies of one session. Calls are made one at a time. */
export class Mirrors implements Mirroring {
  readonly #mirrors: readonly Mirror[]
  readonly #live: readonly Mirror[]
  readonly #session = randomUUID()
  /** Of the last mark; all journals count them alike. */
  #epoch = 0
  /** The sandbox may have changed something that was not looked for yet. */
  #unseen = false
  /** Of these changes some may be moves. */
  #renames = false
  readonly #names: CommandNames

  constructor(shell: NativeShell, mirrors: readonly Mirror[]) {
    this.#mirrors = mirrors
    this.#live = mirrors.filter(({ setup }) => setup.live)
    this.#names = new CommandNames(shell)
  }

  async command(
    text: string | undefined,
    run: () => Promise<CommandOutput>,
  ): Promise<Outcome<CommandOutput>> {
    if (this.#live.length === 0) return { ok: true, value: await run() }
    const full = await this.#bringAll()
    const { kind, renames } = await this.#names.effectsOf(text)
    this.#unseen ||= kind !== 'none'
    this.#renames ||= renames
    const output = await run().catch(async (error: unknown) => {
      // The command ran, in part at least. Why it has no result matters more than what else may fail now.
      await this.#writeAll().catch(() => undefined)
      throw error
    })
    const held = this.#live.map(({ held }) => new Set(held.keys()))
    const { conflicts, failed, written } = await this.#writeAll()
    const notes = [
      ...full,
      ...conflictNotes(conflicts),
      ...this.#live.flatMap((mirror, index) => heldNotes(mirror, held[index] ?? new Set())),
    ]
    const noted =
      notes.length === 0 ? output : { ...output, stderr: output.stderr + separated(output.stderr, notes) }
    return outcome(noted, conflicts, failed.length === 0 ? undefined : syncError(written, failed, noted))
  }

  async file<T>(operation: FileOperation, path: string, run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (this.#live.length === 0) return run()
    const place = this.#unseen ? 'anywhere' : await locate(this.#live, path)
    if (place === 'elsewhere') return run()
    const writes = operation === 'writeFile' || operation === 'removeFile'
    if (place === 'anywhere') {
      await this.#bringAll()
      if (writes) this.#unseen = true
      return this.#settle(await run(), writes ? await this.#writeAll() : undefined)
    }
    const { mirror, rel } = place
    const scan = scanHostAt(mirror, rel, operation === 'listFiles')
    await bringHostChanges(mirror, scan.found, scan.scope)
    const result = await run()
    // What a failed write has left is looked for, such as directories made for it.
    if (!result.ok) this.#unseen ||= writes
    if (!writes || !result.ok) return result
    await noteChangeOf(mirror, rel)
    return this.#settle(result, await this.#write([mirror]))
  }

  async changes(since: string | undefined): Promise<Outcome<ChangeReport>> {
    const mark = since === undefined ? 0 : this.#epochOf(since)
    await this.#noteAll()
    const changes = this.#mirrors.flatMap(({ journal, setup }) =>
      journal.since(mark).map((change) => ({ bind: setup.place.root, ...change })),
    )
    changes.sort((a, b) => (a.path < b.path ? -1 : 1))
    for (const { journal } of this.#mirrors) this.#epoch = journal.mark()
    return { ok: true, value: { mark: `${this.#session}:${this.#epoch}`, changes } }
  }

  async applyChanges({ bind, paths }: ApplyRequest): Promise<Outcome<ApplyReport>> {
    const mirror = this.#copyAt(bind)
    const chosen = paths?.map(
      (path) => mirror.setup.place.rel(path) ?? refuse('paths', `${path} is not in ${bind}.`),
    )
    await noteChanges(mirror, true)
    const { written, removed, conflicts, failed } = await this.#write([mirror], (rel) =>
      isChosen(mirror, rel, chosen),
    )
    const value = { written, removed, conflicts }
    return outcome(
      value,
      conflicts,
      failed.length === 0 ? undefined : syncError([...written, ...removed], failed),
    )
  }

  skipped(): ShellDescription['skipped'] {
    return this.#mirrors.flatMap((mirror) => {
      const held = [...mirror.held].map(([path, reason]) => ({ path, reason }))
      return [...mirror.skipped, ...held].map(({ path, reason }) => ({
        bind: mirror.setup.place.root,
        path: mirror.path(path),
        reason,
      }))
    })
  }

  stop(): void {
    for (const mirror of this.#mirrors) mirror.isStopped = true
  }

  /**
   * Brings the host's changes in, once the sandbox's own are known: they must not be taken for unchanged. A sandbox that
   * is full gets them later: the command that comes may be the one that makes room.
   *
   * @returns a line on standard error for each place where that is so.
   */
  async #bringAll(): Promise<string[]> {
    if (this.#unseen) await this.#noteLive()
    const notes: string[] = []
    for (const mirror of this.#live) {
      try {
        await bringHostChanges(mirror, scanWithin(mirror))
      } catch (error) {
        if (!(error instanceof FarError) || error.data.code !== 'LIMIT_EXCEEDED') throw error
        notes.push(fullNote(mirror))
      }
    }
    return notes
  }

  async #writeAll(): Promise<Report> {
    await this.#noteLive()
    return this.#write(this.#live)
  }

  async #noteLive(): Promise<void> {
    if (!this.#unseen) return
    for (const mirror of this.#live) await noteChanges(mirror, this.#renames)
    this.#unseen = false
    this.#renames = false
  }

  async #noteAll(): Promise<void> {
    await this.#noteLive()
    for (const mirror of this.#mirrors) if (!mirror.setup.live) await noteChanges(mirror, true)
  }

  async #write(mirrors: readonly Mirror[], chosen?: (rel: string) => boolean): Promise<Report> {
    const report: Report = { written: [], removed: [], conflicts: [], failed: [] }
    for (const mirror of mirrors) {
      if (mirror.pending.size === 0 || mirror.isStopped) continue
      using writer = new HostWriter(mirror.setup.tree)
      add(report, mirror, await writeToHost(mirror, writer, chosen))
    }
    return report
  }

  #settle<T>(result: Outcome<T>, report: Report | undefined): Outcome<T> {
    if (report === undefined) return result
    const { conflicts, failed, written, removed } = report
    if (!result.ok) return conflicts.length === 0 ? result : { ...result, conflicts }
    return outcome(
      result.value,
      conflicts,
      failed.length === 0 ? undefined : syncError([...written, ...removed], failed),
    )
  }

  #epochOf(mark: string): number {
    const [session, epoch] = mark.split(':')
    const number = /^\d+$/.test(epoch ?? '') ? Number(epoch) : Number.POSITIVE_INFINITY
    if (session === this.#session && number <= this.#epoch) return number
    throw refuse(
      'since',
      'must be a mark of an earlier report of this session. Leave it out for all since open.',
    )
  }

  #copyAt(bind: string): Mirror {
    const mirror = this.#mirrors.find(({ setup }) => setup.place.root === bind)
    if (mirror === undefined) throw refuse('bind', `must be the destination of a copy, but is ${bind}.`)
    if (mirror.setup.live)
      throw refuse('bind', `names ${bind}, which is kept in step at every call: nothing is left to apply.`)
    if (mirror.setup.readonly)
      throw refuse('bind', `names ${bind}, which is read-only: its changes never reach the host.`)
    return mirror
  }
}

function scanWithin(mirror: Mirror): HostListing {
  const found = withinBounds(mirror, scanHost(mirror))
  mirror.skipped = found.skipped
  return found
}

/** Sandbox paths, over all mirrors. */
interface Report {
  readonly written: string[]
  readonly removed: string[]
  readonly conflicts: ConflictData[]
  readonly failed: { readonly path: string; readonly reason: string }[]
}

function add(report: Report, mirror: Mirror, part: HostReport): void {
  report.written.push(...part.written.map((rel) => mirror.path(rel)))
  report.removed.push(...part.removed.map((rel) => mirror.path(rel)))
  report.conflicts.push(...part.conflicts.map((conflict) => conflictData(mirror, conflict)))
  report.failed.push(...part.failed.map(({ rel, reason }) => ({ path: mirror.path(rel), reason })))
}

/** A path is chosen itself, by a directory above it, or as a new directory that leads to a chosen one. */
function isChosen(mirror: Mirror, rel: string, chosen: readonly string[] | undefined): boolean {
  if (chosen === undefined) return true
  const leads = mirror.entries.get(rel)?.sandbox?.kind === 'directory'
  return chosen.some(
    (one) => one === '' || rel === one || rel.startsWith(`${one}/`) || (leads && one.startsWith(`${rel}/`)),
  )
}

function outcome<T>(value: T, conflicts: readonly ConflictData[], error: FarError | undefined): Outcome<T> {
  const met = conflicts.length === 0 ? {} : { conflicts }
  return error === undefined ? { ok: true, value, ...met } : { ok: false, error: error.data, ...met }
}

function separated(stderr: string, notes: readonly string[]): string {
  return `${stderr === '' || stderr.endsWith('\n') ? '' : '\n'}${notes.join('')}`
}

function refuse(field: string, problem: string): never {
  throw new FarError({ code: 'INVALID_CONFIG', field, message: `${field} ${problem}` })
}
