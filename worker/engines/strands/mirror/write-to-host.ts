import { digestOf } from './digest.ts'
import { sameContentEntry } from './host/entry.ts'
import { HostRefusedError, HostWriteError } from './host/errors.ts'
import type { HostWriter, Written } from './host/writer.ts'
import { hostSide, type Mirror } from './mirror.ts'
import { depthOf } from './paths.ts'
import { inBatches } from './sandbox/batches.ts'
import type { Conflict, HostEntry, SandboxEntry } from './types.ts'

/** What became of the pending changes. Paths are relative to the bind. */
export interface HostReport {
  readonly written: string[]
  readonly removed: string[]
  readonly conflicts: Conflict[]
  readonly failed: { readonly rel: string; readonly reason: string }[]
}

/** What a directory has to allow its owner for something in it to change. */
const OPEN = 0o300
/** Files whose contents are held at once. */
const atOnce = 16

/**
 * Writes pending changes to the host: first what goes, deepest first, then what comes, directories before what is
 * in them, but for permission bits that would keep it out. What fails stays pending; the rest goes on.
 *
 * @param chosen - which of the pending paths. Default: all.
 */
export async function writeToHost(
  mirror: Mirror,
  writer: HostWriter,
  chosen: (rel: string) => boolean = () => true,
): Promise<HostReport> {
  const report: HostReport = { written: [], removed: [], conflicts: [], failed: [] }
  const shallowFirst = [...mirror.pending.keys()].filter(chosen).sort((a, b) => depthOf(a) - depthOf(b))
  const deepFirst = [...shallowFirst].reverse()
  await writeComing(
    mirror,
    writer,
    shallowFirst.filter((rel) => opens(mirror, rel)),
    report,
  )
  for (const rel of deepFirst) attempt(report, rel, () => removeOld(mirror, writer, rel, report))
  await writeComing(mirror, writer, shallowFirst, report)
  await writeComing(mirror, writer, deepFirst, report)
  return report
}

/** Writes what is still pending of `rels`. */
async function writeComing(
  mirror: Mirror,
  writer: HostWriter,
  rels: readonly string[],
  report: HostReport,
): Promise<void> {
  const coming = rels.filter(
    (rel) => mirror.pending.has(rel) && mirror.entries.get(rel)?.sandbox !== undefined,
  )
  for (let from = 0; from < coming.length; from += atOnce) {
    const some = coming.slice(from, from + atOnce)
    const contents = await contentsOf(mirror, some)
    if (mirror.isStopped) return
    for (const rel of some) attempt(report, rel, () => write(mirror, writer, rel, contents.get(rel), report))
  }
}

function isOpen(mode: number): boolean {
  return (mode & OPEN) === OPEN
}

/** Whether a directory that the sandbox opened has to be opened on the host before anything in it changes. */
function opens(mirror: Mirror, rel: string): boolean {
  const { sandbox } = mirror.entries.get(rel) ?? {}
  return mirror.pending.get(rel) === 'mode' && sandbox?.kind === 'directory' && isOpen(sandbox.mode)
}

/** Removes what the sandbox no longer has, or has as something else. */
function removeOld(mirror: Mirror, writer: HostWriter, rel: string, report: HostReport): void {
  const { sandbox, host } = mirror.entries.get(rel) ?? {}
  if (host === undefined || sandbox?.kind === host.kind) return
  const { entry, conflict } = removeKnown(mirror, writer, rel)
  if (conflict !== undefined) addConflict(report, conflict)
  if (sandbox === undefined) {
    mirror.entries.delete(rel)
    mirror.pending.delete(rel)
    if (entry === undefined) report.removed.push(rel)
  } else mirror.entries.set(rel, { sandbox, host: undefined })
}

/** What the host put in the place, and what is never replaced, stays where only something is to go. */
function removeKnown(mirror: Mirror, writer: HostWriter, rel: string): Written {
  try {
    return writer.remove(rel, { expected: expectedAt(mirror, rel) })
  } catch (error) {
    if (!(error instanceof HostRefusedError) || mirror.entries.get(rel)?.sandbox !== undefined) throw error
    return { entry: mirror.entries.get(rel)?.host }
  }
}

function write(
  mirror: Mirror,
  writer: HostWriter,
  rel: string,
  bytes: Uint8Array | undefined,
  report: HostReport,
): void {
  const { sandbox } = mirror.entries.get(rel) ?? {}
  if (sandbox === undefined) return
  const host = expectedAt(mirror, rel)
  const mustWait = sandbox.kind === 'directory' && !isOpen(sandbox.mode) && mirror.hasPendingBelow(rel)
  if (mustWait && mirror.pending.get(rel) === 'mode') return
  const { entry, conflict } = put()
  if (entry === undefined) {
    // Its permission bits were to be set, and it is gone from the host: the next pass writes it whole.
    mirror.entries.set(rel, { sandbox, host: undefined })
    mirror.pending.set(rel, 'all')
    return
  }
  if (conflict !== undefined) addConflict(report, conflict)
  const { host: written, ...contents } = hostSide(asWritten(entry, sandbox), bytes)
  mirror.entries.set(rel, { ...mirror.entries.get(rel), ...contents, sandbox, host: written })
  if (mustWait) {
    mirror.pending.set(rel, 'mode')
    return
  }
  mirror.pending.delete(rel)
  report.written.push(rel)

  function put(): Written {
    if (sandbox?.kind === 'link') return writer.makeLink(rel, sandbox.target ?? '', { expected: host })
    const mode = host !== undefined && host.mode === sandbox?.mode ? {} : { mode: sandbox?.mode ?? 0o644 }
    if (mirror.pending.get(rel) === 'mode' && host !== undefined) {
      return writer.chmod(rel, sandbox?.mode ?? host.mode, { expected: host })
    }
    if (mustWait) return writer.makeDirectory(rel, { mode: (sandbox?.mode ?? 0) | OPEN, expected: host })
    if (sandbox?.kind === 'directory') return writer.makeDirectory(rel, { ...mode, expected: host })
    return writer.writeFile(rel, bytes ?? new Uint8Array(), { ...mode, expected: host })
  }
}

/**
 * What the host is known to have. Of a file that was looked at right after it had changed, or whose times were set
 * back, a further change may bear the same time: its content tells.
 */
function expectedAt(mirror: Mirror, rel: string): HostEntry | undefined {
  const { host, digest } = mirror.entries.get(rel) ?? {}
  if (host === undefined || digest === undefined) return host
  const found = mirror.setup.tree.look(rel)
  const isOther = found === undefined || 'reason' in found || !sameContentEntry(host, found)
  if (isOther || (!host.fresh && host.changed === found.changed)) return host
  const file = mirror.setup.tree.read(rel)
  const isKnown = typeof file === 'string' || digestOf(file.bytes) === digest
  return isKnown ? host : { ...host, modified: -1n }
}

/** A mode that the host has changed meanwhile is to show as a change at the next look. */
function asWritten(entry: HostEntry, sandbox: SandboxEntry): HostEntry {
  if (sandbox.kind === 'link' || entry.mode === sandbox.mode) return entry
  return { ...entry, mode: sandbox.mode, changed: 0n }
}

async function contentsOf(mirror: Mirror, rels: readonly string[]): Promise<Map<string, Uint8Array>> {
  const files = rels.filter((rel) => isFile(mirror, rel) && mirror.pending.get(rel) === 'all')
  const sizeOf = (rel: string) => mirror.entries.get(rel)?.sandbox?.size ?? 0
  const contents = await inBatches(files, sizeOf, (rel) => mirror.shell.readFile(mirror.path(rel)))
  return new Map(files.map((rel, index) => [rel, contents[index] ?? new Uint8Array()]))
}

function isFile(mirror: Mirror, rel: string): boolean {
  return mirror.entries.get(rel)?.sandbox?.kind === 'file'
}

/** What was kept in a directory goes with it where that is moved aside itself. */
function addConflict({ conflicts }: HostReport, conflict: Conflict): void {
  const { path, kept } = conflict
  for (const [index, earlier] of conflicts.entries()) {
    if (kept === undefined || !earlier.kept?.startsWith(`${path}/`)) continue
    conflicts[index] = { ...earlier, kept: kept + earlier.kept.slice(path.length) }
  }
  conflicts.push(conflict)
}

/** A change that the host refuses stays pending. */
function attempt(report: HostReport, rel: string, change: () => void): void {
  if (report.failed.some((failure) => failure.rel === rel)) return
  try {
    change()
  } catch (error) {
    report.failed.push({ rel, reason: reasonOf(error) })
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof HostRefusedError) return error.reason
  if (error instanceof HostWriteError) return error.code
  return error instanceof Error ? error.message : String(error)
}
