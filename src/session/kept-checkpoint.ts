import {
  CHECKPOINT_CONTENTS,
  type CheckpointContent,
  type CheckpointEntry,
  type CheckpointFacts,
  type CheckpointPart,
} from '../contract/checkpoint.ts'
import { refuseSnapshot } from '../snapshot/refuse.ts'

/** What a checkpoint may hold at most. */
export interface CheckpointBounds {
  /** Bytes of all contents. */
  readonly maxBytes: number
  /** Characters of all keys and values. */
  readonly maxText: number
}

/** Characters that an entry counts beside its own. */
const entryText = 64

/** Entries of one part. */
const mostEntries = 10_000

/** What became of a part: it was taken, it holds more than may be kept, or it is not of the contract. */
export type Kept = 'taken' | 'too large' | 'wrong'

interface KeptContent {
  readonly bytes: Uint8Array<ArrayBuffer>
  entries: number
}

/**
 * What a session had after its last call, folded out of what its worker has handed over call by call: it grows with
 * what differs from a fresh session, and not with time.
 */
export class KeptCheckpoint {
  /** Whether it has all of a session: it goes into a shell that has nothing of its config. */
  readonly isWhole: boolean
  /** Whether it is of a snapshot that no shell has taken in yet. */
  isFirst: boolean
  readonly #bounds: CheckpointBounds
  readonly #contents = new Map<number, KeptContent>()
  readonly #entries = new Map<string, CheckpointEntry>()
  /** Contents that no entry names. */
  readonly #unused = new Set<number>()
  readonly #staged: CheckpointPart[] = []
  #stagedText = 0
  #bytes = 0
  #text = 0

  /** @param isWhole - whether it is that of a snapshot. */
  constructor(bounds: CheckpointBounds, isWhole = false) {
    this.#bounds = bounds
    this.isWhole = isWhole
    this.isFirst = isWhole
  }

  /**
   * The facts of a snapshot, as what a session had.
   *
   * @returns undefined where they are more than may be kept, or are not of the contract
   */
  static of({ entries, contents }: CheckpointFacts, bounds: CheckpointBounds): KeptCheckpoint | undefined {
    const kept = new KeptCheckpoint(bounds, true)
    const parts = [...contents].map(([id, bytes]) => ({ id, bytes }))
    const taken = kept.take({ contents: parts, entries, forgotten: [], last: true })
    return taken === 'taken' ? kept : undefined
  }

  /** All of it, as a value of its own. It shares the bytes, which nobody writes to. */
  get facts(): CheckpointFacts {
    const contents = new Map([...this.#contents].map(([id, { bytes }]) => [id, bytes]))
    return { entries: [...this.#entries.values()], contents }
  }

  /** True where the session is as a fresh one. */
  get isEmpty(): boolean {
    return this.#entries.size === 0 && !this.isWhole
  }

  /** Bytes of contents and characters of text that are held. */
  get size(): { readonly bytes: number; readonly text: number } {
    return { bytes: this.#bytes, text: this.#text }
  }

  /** Takes a part; it has effect with the last one of its checkpoint. Nothing can be taken after another answer than `taken`. */
  take(part: CheckpointPart): Kept {
    const entries = part.entries.map(declared)
    this.#staged.push({ contents: [], entries, forgotten: [...part.forgotten], last: part.last })
    for (const { id, bytes } of part.contents) {
      if (this.#contents.has(id)) return 'wrong'
      this.#contents.set(id, { bytes, entries: 0 })
      this.#unused.add(id)
      this.#bytes += bytes.byteLength
    }
    if (!part.last) {
      this.#stagedText += entryText
      for (const entry of entries) this.#stagedText += textOf(entry)
      for (const key of part.forgotten) this.#stagedText += key.length
      // What it replaces is still there.
      return this.#holds(2 * this.#bounds.maxBytes, this.#stagedText)
    }
    const isRight = this.#staged.every((staged) => this.#apply(staged))
    this.dropStaged()
    return isRight ? this.#holds(this.#bounds.maxBytes, this.#text) : 'wrong'
  }

  /** Forgets what has come of a checkpoint that is not whole: its worker has ended. */
  dropStaged(): void {
    this.#staged.length = 0
    this.#stagedText = 0
    for (const id of this.#unused) {
      this.#bytes -= this.#contents.get(id)?.bytes.byteLength ?? 0
      this.#contents.delete(id)
    }
    this.#unused.clear()
  }

  /** All of it, in parts that a message can carry. */
  *parts(): Generator<CheckpointPart> {
    const contents: CheckpointContent[] = []
    for (const [id, { bytes }] of this.#contents) {
      contents.push({ id, bytes })
      if (contents.length < CHECKPOINT_CONTENTS) continue
      yield { contents: contents.splice(0), entries: [], forgotten: [], last: false }
    }
    if (contents.length > 0) yield { contents, entries: [], forgotten: [], last: false }
    yield* this.#entryParts()
  }

  *#entryParts(): Generator<CheckpointPart> {
    const entries: CheckpointEntry[] = []
    for (const entry of this.#entries.values()) {
      entries.push(entry)
      if (entries.length < mostEntries) continue
      yield { contents: [], entries: entries.splice(0), forgotten: [], last: false }
    }
    yield { contents: [], entries, forgotten: [], last: true }
  }

  #apply({ entries, forgotten }: CheckpointPart): boolean {
    for (const key of forgotten) this.#forget(key)
    for (const entry of entries) {
      this.#forget(entry.key)
      if (entry.content !== undefined) {
        const content = this.#contents.get(entry.content)
        if (content === undefined) return false
        content.entries += 1
        this.#unused.delete(entry.content)
      }
      this.#entries.set(entry.key, entry)
      this.#text += textOf(entry)
    }
    return true
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#text -= textOf(entry)
    const content = entry.content === undefined ? undefined : this.#contents.get(entry.content)
    if (content === undefined || entry.content === undefined) return
    content.entries -= 1
    if (content.entries === 0) this.#unused.add(entry.content)
  }

  #holds(maxBytes: number, text: number): Kept {
    return this.#bytes > maxBytes || text > this.#bounds.maxText ? 'too large' : 'taken'
  }
}

function textOf({ key, value }: CheckpointEntry): number {
  return key.length + value.length + entryText
}

/** A worker's entry with its declared fields and no others. */
function declared({ key, value, content }: CheckpointEntry): CheckpointEntry {
  return { key, value, ...(content === undefined ? {} : { content }) }
}

/** What a session of this config has that begins with these facts. @throws SnapshotError where that is more than it may have */
export function keptOf(
  facts: CheckpointFacts,
  { checkpoint }: { readonly checkpoint?: CheckpointBounds },
): KeptCheckpoint {
  const kept = checkpoint && KeptCheckpoint.of(facts, checkpoint)
  if (kept !== undefined) return kept
  throw refuseSnapshot(
    'too-large',
    'has more files, or longer names and variables, than this sandbox may have (limits.maxFileSystem).',
  )
}
