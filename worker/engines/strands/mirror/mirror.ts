import type { MirrorRecord } from '../../../../src/contract/shell-record.ts'
import type { NativeShell } from '../native-shell.ts'
import { digestOf } from './digest.ts'
import type { HostTree } from './host/tree.ts'
import { Journal } from './journal.ts'
import { parentOf } from './paths.ts'
import type { Place } from './sandbox/place.ts'
import { runScript } from './sandbox/script.ts'
import type { HostEntry, SandboxEntry, Skipped } from './types.ts'

/** What both sides were last known to have at a path. */
export interface Known {
  readonly sandbox: SandboxEntry | undefined
  readonly host: HostEntry | undefined
  /** Of the host's file, as it was last known. */
  readonly digest?: string
  /** Of the sandbox's file. Absent where its content was never seen. */
  readonly content?: string
}

/** What is known of both sides' content: that of the host's entry, which has `bytes` if it is a file. */
export function hostSide(host: HostEntry | undefined, bytes: Uint8Array | undefined): Omit<Known, 'sandbox'> {
  if (bytes === undefined) return { host }
  const digest = digestOf(bytes)
  return { host, digest, content: digest }
}

/** A host directory, or file, and its place in a sandbox. */
export interface MirrorSetup {
  readonly source: string
  readonly readonly: boolean
  /** Kept in step at every call; otherwise a copy, whose changes go to the host on demand. */
  readonly live: boolean
  readonly place: Place
  readonly tree: HostTree
  readonly isExcluded: (rel: string, isDirectory: boolean) => boolean
  /** The directories that lead to places of other binds: they stay, or those binds' files would go with them. */
  readonly ways: ReadonlySet<string>
  readonly bounds: MirrorRecord
}

/**
 * What is known of a mirrored place: the state that the steps (`bringHostChanges`, `noteChanges`, `writeToHost`)
 * read and write. Paths are relative to the bind.
 */
export class Mirror {
  readonly setup: MirrorSetup
  readonly shell: NativeShell
  readonly entries = new Map<string, Known>()
  /** What the sandbox changed and the host does not have yet: all of it, or the permission bits alone. */
  readonly pending = new Map<string, 'all' | 'mode'>()
  readonly journal = new Journal()
  /** What stays in the sandbox, and why. */
  readonly held = new Map<string, string>()
  /** What of the host is not mirrored. */
  skipped: readonly Skipped[] = []
  /** From now on nothing is written to the host. */
  isStopped = false
  /** Minutes since 1970 when the stamp was touched. */
  stampedAt = 0
  #stampedOffset = 0

  constructor(setup: MirrorSetup, shell: NativeShell) {
    this.setup = setup
    this.shell = shell
  }

  /** Absolute path in the sandbox. */
  path(rel: string): string {
    return this.setup.place.path(rel)
  }

  /** The directories that the sandbox is known to have, without the root. */
  directories(): string[] {
    return [...this.entries].flatMap(([rel, { sandbox }]) => (sandbox?.kind === 'directory' ? [rel] : []))
  }

  /** Whether a change of the host must wait: its place is part of what the sandbox changed and the host has not. */
  isBlocked(rel: string): boolean {
    if (this.pending.size === 0) return false
    if (this.pending.has(rel)) return true
    for (let above = parentOf(rel); above !== ''; above = parentOf(above)) {
      if (this.pending.has(above) && this.entries.get(above)?.sandbox?.kind !== 'directory') return true
    }
    return false
  }

  /** Whether the host does not have yet what the sandbox changed in a directory. */
  hasPendingBelow(rel: string): boolean {
    for (const path of this.pending.keys()) if (path.startsWith(`${rel}/`)) return true
    return false
  }

  /** Forgets a path and all below it. */
  forget(rel: string): void {
    for (const path of this.entries.keys()) {
      if (path !== rel && !path.startsWith(`${rel}/`)) continue
      this.entries.delete(path)
      this.held.delete(path)
    }
  }

  /** From now on, what the sandbox changes is newer than the stamp. */
  async touchStamp(): Promise<void> {
    await runScript(this.shell, [`'touch' ${this.setup.place.stamp}`])
    this.stamped()
  }

  /** Says that the stamp was touched just now. */
  stamped(): void {
    this.stampedAt = currentMinute()
    this.#stampedOffset = clockOffset()
  }

  /** Whether the clock was set back since the stamp was touched: what changed may bear an earlier time. */
  get clockWentBack(): boolean {
    return clockOffset() < this.#stampedOffset - 2
  }

  /** Whether the clock shows another minute than when the stamp was touched. */
  get stampIsOld(): boolean {
    return currentMinute() !== this.stampedAt
  }
}

function currentMinute(): number {
  return Math.floor(Date.now() / 60_000)
}

/** Milliseconds that the clock is ahead of one that is never set. */
function clockOffset(): number {
  return Date.now() - performance.now()
}
