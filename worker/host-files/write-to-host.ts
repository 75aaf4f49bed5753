import { inBatches } from './batches.ts'
import { digestOf } from './digest.ts'
import { sameContentEntry } from './entry.ts'
import { HostRefusedError } from './errors.ts'
import { HostReport } from './host-report.ts'
import { hostSide } from './ledger.ts'
import { depthOf } from './paths.ts'
import type { Tracked } from './tracked.ts'
import type { HostEntry, SandboxEntry } from './types.ts'
import type { HostWriter, Written } from './writer.ts'

/** The permission bits that a directory's owner needs to change its entries. */
const OPEN = 0o300
/** Files whose contents are in memory at once. */
const atOnce = 16

/**
 * Writes pending changes to the host. Removals are first, deepest first. Then come new and changed entries, directories
 * before their content; permission bits that would prevent writing into a directory are set last. A change that fails
 * stays pending, and the others are still made.
 *
 * @param chosen - which of the pending paths. Default: all.
 */
export async function writeToHost(
  mirror: Tracked,
  writer: HostWriter,
  chosen: (rel: string) => boolean = () => true,
): Promise<HostReport> {
  const report = new HostReport()
  const pending = mirror.ledger.pendingPaths().filter(chosen)
  const shallowFirst = pending.sort((a, b) => depthOf(a) - depthOf(b))
  const deepFirst = [...shallowFirst].reverse()
  const opened = shallowFirst.filter((rel) => opens(mirror, rel))
  await writeComing(mirror, writer, opened, report)
  for (const rel of deepFirst) report.attempt(rel, () => removeOld(mirror, writer, rel, report))
  await writeComing(mirror, writer, shallowFirst, report)
  await writeComing(mirror, writer, deepFirst, report)
  return report
}

/** Writes what is still pending of `rels`. */
async function writeComing(
  mirror: Tracked,
  writer: HostWriter,
  rels: readonly string[],
  report: HostReport,
): Promise<void> {
  const { ledger } = mirror
  const coming = rels.filter(
    (rel) => ledger.pendingAt(rel) !== undefined && ledger.sandboxAt(rel) !== undefined,
  )
  for (let from = 0; from < coming.length; from += atOnce) {
    const some = coming.slice(from, from + atOnce)
    const contents = await contentsOf(mirror, some)
    if (mirror.isStopped) return
    for (const rel of some) {
      report.attempt(rel, () => write(mirror, writer, rel, contents.get(rel), report))
    }
  }
}

function isOpen(mode: number): boolean {
  return (mode & OPEN) === OPEN
}

/** Whether the sandbox made a directory writable, so that the host's has to be writable before anything in it changes. */
function opens({ ledger }: Tracked, rel: string): boolean {
  const sandbox = ledger.sandboxAt(rel)
  return ledger.pendingAt(rel) === 'mode' && sandbox?.kind === 'directory' && isOpen(sandbox.mode)
}

/** Removes what the sandbox no longer has, or has as another kind. */
function removeOld(mirror: Tracked, writer: HostWriter, rel: string, report: HostReport): void {
  const { ledger } = mirror
  const { sandbox, host } = ledger.at(rel) ?? {}
  if (host === undefined || sandbox?.kind === host.kind) return
  const removed = removeKnown(mirror, writer, rel)
  report.addConflict(removed?.conflict)
  if (sandbox === undefined && removed?.entry !== undefined) {
    // Pending is what a copy removed, and a directory in which something could not be removed: it is tried again with that.
    if (mirror.setup.live && !ledger.hasPendingBelow(rel)) {
      ledger.recordStayed(rel)
      report.stayed.push(rel)
    }
    return
  }
  ledger.recordGoneFromHost(rel)
  if (sandbox === undefined && removed !== undefined) report.removed.push(rel)
}

/** If the sandbox only removed a path, what the host never lets be replaced stays there: that is no error, but `undefined`. */
function removeKnown(mirror: Tracked, writer: HostWriter, rel: string): Written | undefined {
  const { ledger } = mirror
  try {
    return writer.remove(rel, { expected: expectedAt(mirror, rel) })
  } catch (error) {
    if (!(error instanceof HostRefusedError) || ledger.sandboxAt(rel) !== undefined) throw error
    return undefined
  }
}

function write(
  mirror: Tracked,
  writer: HostWriter,
  rel: string,
  bytes: Uint8Array | undefined,
  report: HostReport,
): void {
  const { ledger } = mirror
  const sandbox = ledger.sandboxAt(rel)
  if (sandbox === undefined) return
  const isModeOnly = ledger.pendingAt(rel) === 'mode'
  const expected = expectedAt(mirror, rel)
  // The directory gets its permission bits in a later pass, when its content is written.
  const mustWait = sandbox.kind === 'directory' && !isOpen(sandbox.mode) && ledger.hasPendingBelow(rel)
  if (mustWait && isModeOnly) return
  const { entry, conflict } = put(sandbox)
  if (entry === undefined) {
    // The host removed it before its permission bits were set. The next pass writes it whole.
    ledger.recordGoneFromHost(rel)
    return
  }
  report.addConflict(conflict)
  ledger.recordWritten(rel, hostSide(asWritten(entry, sandbox), bytes), mustWait ? 'mode' : undefined)
  if (!mustWait) report.written.push(rel)

  function put({ kind, mode, target }: SandboxEntry): Written {
    if (kind === 'link') return writer.makeLink(rel, target ?? '', { expected })
    if (isModeOnly && expected !== undefined) return writer.chmod(rel, mode, { expected })
    if (mustWait) return writer.makeDirectory(rel, { mode: mode | OPEN, expected })
    const changed = expected?.mode === mode ? {} : { mode }
    if (kind === 'directory') return writer.makeDirectory(rel, { ...changed, expected })
    return writer.writeFile(rel, bytes ?? new Uint8Array(), { ...changed, expected })
  }
}

/**
 * What the host is known to have. The times of a file do not tell that it is unchanged if it was looked at right after a
 * change, or if its times were set back: then its content is compared.
 */
function expectedAt({ ledger, setup }: Tracked, rel: string): HostEntry | undefined {
  const { host, digest } = ledger.at(rel) ?? {}
  if (host === undefined || digest === undefined) return host
  const found = setup.tree.look(rel)
  const isOther = found === undefined || 'reason' in found || !sameContentEntry(host, found)
  if (isOther || (!host.fresh && host.changed === found.changed)) return host
  const file = setup.tree.read(rel)
  const isKnown = typeof file === 'string' || digestOf(file.bytes) === digest
  return isKnown ? host : { ...host, modified: -1n }
}

/** If the host changed the mode meanwhile, an entry that shows this as a change at the next look. */
function asWritten(entry: HostEntry, sandbox: SandboxEntry): HostEntry {
  if (sandbox.kind === 'link' || entry.mode === sandbox.mode) return entry
  return { ...entry, mode: sandbox.mode, changed: 0n }
}

/** The contents of those files that have to be written whole. */
async function contentsOf(tracked: Tracked, rels: readonly string[]): Promise<Map<string, Uint8Array>> {
  const { ledger } = tracked
  const files = rels.filter(
    (rel) => ledger.sandboxAt(rel)?.kind === 'file' && ledger.pendingAt(rel) === 'all',
  )
  const sizeOf = (rel: string) => ledger.sandboxAt(rel)?.size ?? 0
  const contents = await inBatches(files, sizeOf, (rel) => tracked.read(rel))
  return new Map(files.map((rel, index) => [rel, contents[index] ?? new Uint8Array()]))
}
