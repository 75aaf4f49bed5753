import { digestOf } from './digest.ts'
import { type Change, Journal, type JournalEvent, type NetChange } from './journal.ts'
import { parentOf } from './paths.ts'
import type { EntryKind, HostEntry, SandboxEntry, Skipped } from './types.ts'
import { reasonToWithhold } from './withhold.ts'

/** What the host has at a path, and the digests of a file's content. */
export interface HostSide {
  readonly host: HostEntry | undefined
  /** SHA-256 of the host's file, when it was last read or written. */
  readonly digest?: string
  /** SHA-256 of the sandbox's file. Absent when its content was never read. */
  readonly content?: string
}

/** What both sides had at a path at the last step. */
export interface Known extends HostSide {
  readonly sandbox: SandboxEntry | undefined
}

/** How much of an entry changed: anything, or its permission bits alone. */
export type Extent = 'all' | 'mode'

/** All that a ledger has of a path. */
export interface LedgerState {
  /** What the sandbox did there. */
  readonly events: readonly JournalEvent[]
  readonly known: Known | undefined
  /** What the host does not have; also what it never gets. */
  readonly pending: Extent | undefined
}

/** Whether a ledger has a directory at a path, or had one there last. */
export function isDirectoryState({ events, known }: LedgerState): boolean {
  const kind = known?.sandbox?.kind ?? known?.host?.kind ?? events.at(-1)?.kind
  return kind === 'directory'
}

/** What the host has, with the digest of `bytes` if both sides have a file with this content. */
export function hostSide(host: HostEntry | undefined, bytes: Uint8Array | undefined): HostSide {
  if (bytes === undefined) return { host }
  const digest = digestOf(bytes)
  return { host, digest, content: digest }
}

/**
 * What both sides of a mirror had at the last step, and what the host does not have yet. Paths are relative to the bind.
 *
 * Each method records one event. The ledger guarantees that a pending or withheld path is known, that no path is both, and
 * that the journal has every change of the sandbox.
 */
export class Ledger {
  readonly #known = new Map<string, Known>()
  readonly #pending = new Map<string, Extent>()
  readonly #withheld = new Map<string, string>()
  readonly #journal = new Journal()
  readonly #touched = new Set<string>()
  #skipped: readonly Skipped[] = []

  /** How many paths are known. */
  get size(): number {
    return this.#known.size
  }

  /** What both sides had at a path; `undefined` if neither had anything. */
  at(rel: string): Known | undefined {
    return this.#known.get(rel)
  }

  /** What the sandbox had at a path. */
  sandboxAt(rel: string): SandboxEntry | undefined {
    return this.#known.get(rel)?.sandbox
  }

  /** Every known path, in the order in which they became known. */
  paths(): Iterable<string> {
    return this.#known.keys()
  }

  /** The paths at which the sandbox had something. */
  sandboxPaths(): string[] {
    return [...this.#known].flatMap(([rel, { sandbox }]) => (sandbox === undefined ? [] : [rel]))
  }

  /** The directories of the sandbox. */
  sandboxDirectories(): string[] {
    return [...this.#known].flatMap(([rel, { sandbox }]) => (sandbox?.kind === 'directory' ? [rel] : []))
  }

  /** What the sandbox changed at a path and the host does not have yet. */
  pendingAt(rel: string): Extent | undefined {
    return this.#pending.get(rel)
  }

  /** The paths that have to be written to the host. */
  pendingPaths(): string[] {
    return [...this.#pending.keys()]
  }

  /** Whether anything has to be written to the host. */
  get hasPending(): boolean {
    return this.#pending.size > 0
  }

  /** Whether something in a directory has to be written to the host. */
  hasPendingBelow(rel: string): boolean {
    for (const path of this.#pending.keys()) if (path.startsWith(`${rel}/`)) return true
    return false
  }

  /**
   * Whether a change of the host at a path has to wait, because the sandbox changed the path, or replaced or removed a
   * directory above it, and the host does not have that yet.
   */
  isBlocked(rel: string): boolean {
    if (this.#pending.size === 0) return false
    if (this.#pending.has(rel)) return true
    for (let above = parentOf(rel); above !== ''; above = parentOf(above)) {
      if (this.#pending.has(above) && this.sandboxAt(above)?.kind !== 'directory') return true
    }
    return false
  }

  /** What is never written to the host, by path, and why. */
  get withheld(): ReadonlyMap<string, string> {
    return this.#withheld
  }

  /** What of the host is not mirrored. */
  get skipped(): readonly Skipped[] {
    return this.#skipped
  }

  /** The sandbox's changes since a mark of {@link markChanges}; 0 is the beginning. Sorted by path. */
  changesSince(mark: number): NetChange[] {
    return this.#journal.since(mark)
  }

  /** @returns a mark of this moment, for {@link changesSince}. */
  markChanges(): number {
    return this.#journal.mark()
  }

  /** The paths that the sandbox did something to, in all epochs. */
  journalPaths(): Iterable<string> {
    return this.#journal.paths()
  }

  /** The paths of which something was recorded since the last time that this was asked. */
  takeTouched(): string[] {
    const touched = [...this.#touched]
    this.#touched.clear()
    return touched
  }

  /** What is recorded of a path is to be among {@link takeTouched}. */
  touch(rel: string): void {
    this.#touched.add(rel)
  }

  /** All that is recorded of a path; `undefined` if that is nothing. */
  stateOf(rel: string): LedgerState | undefined {
    const events = this.#journal.at(rel)
    const known = this.#known.get(rel)
    if (events.length === 0 && known === undefined) return undefined
    return { events, known, pending: this.#withheld.has(rel) ? 'all' : this.#pending.get(rel) }
  }

  /** Takes over what another ledger had of a path. */
  restore(rel: string, { events, known, pending }: LedgerState): void {
    this.#journal.restore(rel, events)
    if (known === undefined) return
    this.#know(rel, known)
    if (pending === undefined) return
    const reason = known.sandbox && reasonToWithhold(rel, known.sandbox)
    if (reason === undefined) this.#pending.set(rel, pending)
    else this.#withheld.set(rel, reason)
  }

  /** The next mark has a higher number than this. */
  restoreEpoch(epoch: number): void {
    this.#journal.restoreEpoch(epoch)
  }

  /** The sandbox had this before the mirror was filled. It is not a change. */
  recordInitial(rel: string, sandbox: SandboxEntry): void {
    if (!this.#known.has(rel)) this.#know(rel, { sandbox, host: undefined })
  }

  /** The sandbox got what the host has. */
  recordBroughtIn(rel: string, sandbox: SandboxEntry, host: HostSide): void {
    this.#know(rel, { ...host, sandbox })
    this.#withheld.delete(rel)
  }

  /** The host's file was read: its entry is another one, its content is the known one. */
  recordSameContent(rel: string, host: HostSide): void {
    this.#know(rel, { ...host, sandbox: this.sandboxAt(rel) })
  }

  /** The sandbox still has the same at a path; the time that it shows may differ. */
  recordUnchanged(rel: string, sandbox: SandboxEntry): void {
    this.#know(rel, { host: undefined, ...this.#known.get(rel), sandbox })
  }

  /** The sandbox made or changed an entry: it has to be written to the host. */
  recordChanged(rel: string, sandbox: SandboxEntry, extent: Extent): void {
    const known = this.#known.get(rel)
    const { content, ...rest } = known ?? { host: undefined }
    const kept = extent === 'mode' && content !== undefined ? { content } : {}
    this.#know(rel, { ...rest, ...kept, sandbox })
    this.#note(rel, sandbox.kind, known?.sandbox === undefined ? 'added' : 'changed')
    this.#withheld.delete(rel)
    this.#pending.set(rel, this.#pending.get(rel) === 'all' ? 'all' : extent)
  }

  /** What the sandbox changed at a path is never written to the host. The next change of the path ends this. */
  withhold(rel: string, reason: string): void {
    this.touch(rel)
    this.#pending.delete(rel)
    this.#withheld.set(rel, reason)
  }

  /** The sandbox removed an entry: it has to be removed from the host, if the host has it. */
  recordRemoved(rel: string): void {
    const known = this.#known.get(rel)
    if (known?.sandbox === undefined) return
    this.#note(rel, known.sandbox.kind, 'removed')
    this.#withheld.delete(rel)
    if (known.host === undefined) this.#drop(rel)
    else {
      this.#know(rel, { ...known, sandbox: undefined })
      this.#pending.set(rel, 'all')
    }
  }

  /** The sandbox wrote a change to the host itself. */
  recordLive(rel: string, kind: EntryKind, change: Change): void {
    this.#note(rel, kind, change)
  }

  /** The content of the sandbox's file was read. */
  recordContent(rel: string, bytes: Uint8Array): void {
    const known = this.#known.get(rel)
    if (known !== undefined) this.#know(rel, { ...known, content: digestOf(bytes) })
  }

  /**
   * The host has what the sandbox has.
   *
   * @param left - `'mode'`: the permission bits still have to be written.
   */
  recordWritten(rel: string, host: HostSide, left?: 'mode'): void {
    this.#know(rel, { sandbox: undefined, ...this.#known.get(rel), ...host })
    if (left === undefined) this.#pending.delete(rel)
    else this.#pending.set(rel, left)
  }

  /** The host lost what it was known to have at a pending path. What the sandbox has there has to be written whole. */
  recordGoneFromHost(rel: string): void {
    const sandbox = this.sandboxAt(rel)
    if (sandbox === undefined) this.#drop(rel)
    else {
      this.#know(rel, { sandbox, host: undefined })
      this.#pending.set(rel, 'all')
    }
  }

  /** The host keeps a directory that the sandbox removed: it is to be brought in again. */
  recordStayed(rel: string): void {
    this.#drop(rel)
  }

  /** The sandbox has again what it removed, as it was. */
  recordRestored(rel: string): void {
    const sandbox = this.sandboxAt(rel)
    if (sandbox !== undefined) this.#note(rel, sandbox.kind, 'restored')
  }

  /** Both sides have nothing at a path and below it, or nothing is known of it any more. */
  forget(rel: string): void {
    for (const path of this.#known.keys()) if (path === rel || path.startsWith(`${rel}/`)) this.#drop(path)
  }

  /** A look at the whole host left these out. They replace those of the look before. */
  recordSkipped(skipped: readonly Skipped[]): void {
    this.#skipped = skipped
  }

  /** These were left out after the look. */
  addSkipped(skipped: readonly Skipped[]): void {
    if (skipped.length > 0) this.#skipped = [...this.#skipped, ...skipped]
  }

  #know(rel: string, known: Known): void {
    this.touch(rel)
    this.#known.set(rel, known)
  }

  #note(rel: string, kind: EntryKind, change: Parameters<Journal['add']>[2]): void {
    this.touch(rel)
    this.#journal.add(rel, kind, change)
  }

  #drop(rel: string): void {
    this.touch(rel)
    this.#known.delete(rel)
    this.#pending.delete(rel)
    this.#withheld.delete(rel)
  }
}
