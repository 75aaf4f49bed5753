/** What an entry of a mirrored directory can be. */
export type EntryKind = 'file' | 'directory' | 'link'

/** Why an entry of the host is not in the mirror. */
export type SkipReason =
  | 'too large'
  | 'name is not UTF-8'
  | 'socket'
  | 'FIFO'
  | 'device'
  | 'link that leads out'
  | 'unreadable'
  | 'over the bounds'
  | 'changes while it is read'
  | 'the sandbox does not take it'
  | 'another bind lies below'

/** What the host has at a path: enough to see that it changed. */
export interface HostEntry {
  readonly kind: EntryKind
  /** Permission bits, 0 to 0o777. */
  readonly mode: number
  /** Bytes; 0 for anything but a file. */
  readonly size: number
  readonly inode: bigint
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  /** Nanoseconds since 1970: when content or inode last changed. */
  readonly changed: bigint
  /** The text of a link. */
  readonly target?: string
  /** It changed so shortly before the look that a further change could have the same time. */
  readonly fresh: boolean
}

/** What the sandbox has at a path. */
export interface SandboxEntry {
  readonly kind: EntryKind
  /** Permission bits, 0 to 0o777. */
  readonly mode: number
  /** setuid, setgid and sticky, as bits of a mode; absent where none is set. */
  readonly special?: number
  /** Bytes; 0 for anything but a file. */
  readonly size: number
  /** The text of a link. */
  readonly target?: string
  /** The time of its last change, to the minute, as the engine prints it. */
  readonly shown: string
}

/** A host entry that is not mirrored; `path` is relative to the bind. */
export interface Skipped {
  readonly path: string
  readonly reason: SkipReason
}

/** Both sides changed a path; `path` and `kept` are relative to the bind. */
export interface Conflict {
  readonly path: string
  /** Where the host's version is kept. Absent if the host removed the path. */
  readonly kept?: string
}
