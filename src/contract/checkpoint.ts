/** Bytes of a checkpoint, by the number that its entries name them by. A number is used once in a session. */
export interface CheckpointContent {
  readonly id: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** One fact of a shell that differs from a fresh one. Only its engine knows what keys and values mean. */
export interface CheckpointEntry {
  readonly key: string
  readonly value: string
  /** The number of the bytes that belong to it, which this part or an earlier one has brought. */
  readonly content?: number
}

/** A part of what has changed in a shell since its last checkpoint. Parts take effect together, with the last one. */
export interface CheckpointPart {
  readonly contents: readonly CheckpointContent[]
  /** New facts, and those that have changed. */
  readonly entries: readonly CheckpointEntry[]
  /** Keys of facts that are as in a fresh shell again. */
  readonly forgotten: readonly string[]
  readonly last: boolean
}

/** All that a checkpoint holds, as one value. */
export interface CheckpointFacts {
  readonly entries: readonly CheckpointEntry[]
  /** The bytes that entries name, by number. Nobody writes to them. */
  readonly contents: ReadonlyMap<number, Uint8Array<ArrayBuffer>>
}

/** Keys of facts about files begin with it, in every engine; the absolute path follows. Their value is a {@link FileFact} as JSON, or {@link GONE}. */
export const FILE_KEY = 'file '

/** Keys of facts about binds begin with it, in every engine. */
export const BIND_KEY = 'bind '

/** The value of a name or path that a fresh shell has and this one has not: no text of JSON. */
export const GONE = 'gone'

/** What a checkpoint says of a path. The entry of a file names its bytes. */
export interface FileFact {
  readonly type: 'file' | 'directory' | 'symlink'
  /** Permission bits. */
  readonly mode: number
  /** Milliseconds since the epoch. */
  readonly modified: number
  /** Where a link leads; absent for what is none. */
  readonly target?: string
}

/** Something of a session that its checkpoint does not hold. */
export interface OmittedPart {
  /**
   * `'bind'`: the files of a host directory, which are on the host. `'job'`: a command that runs in the background.
   * `'function'`: a function of Strands Shell whose text is not known for certain. `'times'`: those of files.
   * `'credential'`: a token, which the config of the next session gives.
   */
  readonly kind: 'bind' | 'job' | 'function' | 'times' | 'credential'
  /**
   * The path in the sandbox of a bind, the text of a job, the name of a function, the directory of the files, the address of
   * a credential. `'*'` stands for functions whose names are not known.
   */
  readonly name: string
}

/** How many contents a part may have: a message to another process holds a bounded number of buffers. */
export const CHECKPOINT_CONTENTS = 500
