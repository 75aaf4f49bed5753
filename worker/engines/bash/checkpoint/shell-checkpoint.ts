import { type CheckpointPart, FILE_KEY } from '../../../../src/contract/checkpoint.ts'
import { SKIPPED_KEY, type Skipped } from '../../../service/skipped-fact.ts'
import { splitCheckpoint } from '../../../service/split-checkpoint.ts'
import type { MemoryFs } from '../files/memory-fs.ts'
import { FileChanges } from './file-changes.ts'
import type { TreeReader } from './function-tree.ts'
import { StateReader } from './read-state.ts'
import { SkippedFact } from './skipped-fact.ts'
import { type SessionState, StateChanges } from './state-changes.ts'

/** What of a shell has changed since its last checkpoint, and the way back. */
export class ShellCheckpoint {
  readonly #fresh: SessionState
  readonly #files: FileChanges
  readonly #state: StateChanges
  readonly #skipped: SkippedFact
  readonly #parts: CheckpointPart[] = []

  /**
   * What the shell has now is what a fresh one has.
   *
   * @param parts - `programs`: paths of files that every shell has; `skipped`: at the begin of the session.
   */
  constructor(
    fs: MemoryFs,
    fresh: SessionState,
    { programs, skipped }: { readonly programs: ReadonlySet<string>; readonly skipped: Skipped },
  ) {
    this.#skipped = new SkippedFact(skipped)
    this.#fresh = fresh
    this.#files = new FileChanges(fs, programs)
    this.#state = new StateChanges(fresh)
    fs.onTouched = (path) => this.#files.note(path)
  }

  /** What was left out of host directories when the session began. */
  get skipped(): Skipped {
    return this.#skipped.list
  }

  /** The changes since the last time; empty where there are none. */
  async take(session: SessionState): Promise<readonly CheckpointPart[]> {
    const state = this.#state.take(session)
    const files = await this.#files.take()
    const skipped = this.#skipped.take()
    if (state === undefined && files === undefined && skipped === undefined) return []
    const { contents = [], entries = [], forgotten = [] } = files ?? {}
    return splitCheckpoint(
      contents,
      [...entries, ...(state?.entries ?? []), ...(skipped === undefined ? [] : [skipped])],
      [...forgotten, ...(state?.forgotten ?? [])],
    )
  }

  /** The next changes are all that has not been told: what the shell began with as well. */
  tellAll(): void {
    this.#files.tellAll()
    this.#state.tellAll()
  }

  /**
   * Takes a part of a checkpoint. With the last one, files are put back, and what the session had is returned.
   *
   * @throws {Error} where the checkpoint is not of this engine, or its files have no room
   */
  restore(part: CheckpointPart, reader: TreeReader): SessionState | undefined {
    this.#parts.push(part)
    if (!part.last) return undefined
    const parts = this.#parts.splice(0)
    const contents = new Map<number, Uint8Array>()
    for (const { id, bytes } of parts.flatMap((each) => each.contents)) contents.set(id, bytes)
    const state = new StateReader(this.#fresh, reader)
    for (const entry of parts.flatMap((each) => each.entries)) {
      if (entry.key.startsWith(FILE_KEY)) this.#files.restore(entry, contents)
      else if (entry.key === SKIPPED_KEY) this.#skipped.restore(entry)
      else state.read(entry)
    }
    const { session } = state
    this.#files.restored()
    this.#state.restored(session)
    return session
  }
}
