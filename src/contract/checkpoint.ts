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

/** How many contents a part may have: a message to another process holds a bounded number of buffers. */
export const CHECKPOINT_CONTENTS = 500
