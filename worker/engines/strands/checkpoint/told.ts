import type {
  CheckpointContent,
  CheckpointEntry,
  CheckpointPart,
} from '../../../../src/contract/checkpoint.ts'
import { splitCheckpoint } from '../../../service/split-checkpoint.ts'

/** A fact of a session, with the digest of the bytes that belong to it. */
export interface Fact {
  readonly key: string
  readonly value: string
  readonly digest?: string
  /** Absent where the host has them. */
  readonly bytes?: Uint8Array<ArrayBuffer>
}

interface ToldFact {
  readonly value: string
  readonly digest?: string
}

/** What the host has been told of a session. */
export class Told {
  #facts = new Map<string, ToldFact>()
  /** Numbers of the contents that the host has, by digest. */
  #contents = new Map<string, number>()
  #lastId = 0

  /** Whether the host has the bytes of a digest. */
  hasContent(digest: string): boolean {
    return this.#contents.has(digest)
  }

  /** What of these, which are all, differs from what was told; it is told with it. */
  tell(facts: readonly Fact[]): CheckpointPart[] {
    const entries: CheckpointEntry[] = []
    const contents: CheckpointContent[] = []
    const now = new Map<string, ToldFact>()
    const numbers = new Map<string, number>()
    for (const { key, value, digest, bytes } of facts) {
      now.set(key, { value, ...(digest === undefined ? {} : { digest }) })
      const content = digest === undefined ? undefined : this.#numberOf(digest, bytes, contents)
      if (digest !== undefined && content !== undefined) numbers.set(digest, content)
      const before = this.#facts.get(key)
      if (before?.value === value && before.digest === digest) continue
      entries.push({ key, value, ...(content === undefined ? {} : { content }) })
    }
    const forgotten = [...this.#facts.keys()].filter((key) => !now.has(key))
    this.#facts = now
    this.#contents = numbers
    return entries.length + forgotten.length === 0 ? [] : splitCheckpoint(contents, entries, forgotten)
  }

  /** The host has told this. @param digests - of the contents, by number. */
  restored(entries: readonly CheckpointEntry[], digests: ReadonlyMap<number, string>): void {
    for (const { key, value, content } of entries) {
      const digest = content === undefined ? undefined : digests.get(content)
      this.#facts.set(key, { value, ...(digest === undefined ? {} : { digest }) })
      if (digest !== undefined && content !== undefined) this.#contents.set(digest, content)
    }
    this.#lastId = Math.max(0, ...digests.keys())
  }

  #numberOf(
    digest: string,
    bytes: Uint8Array<ArrayBuffer> | undefined,
    contents: CheckpointContent[],
  ): number | undefined {
    const known = this.#contents.get(digest)
    if (known !== undefined || bytes === undefined) return known
    const id = ++this.#lastId
    this.#contents.set(digest, id)
    contents.push({ id, bytes })
    return id
  }
}
