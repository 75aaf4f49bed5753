import { BIND_KEY, type CheckpointPart, FILE_KEY } from '../../../../src/contract/checkpoint.ts'
import type { ConflictData } from '../../../../src/contract/shell-api.ts'
import { SKIPPED_KEY, type Skipped } from '../../../service/skipped-fact.ts'
import { splitCheckpoint } from '../../../service/split-checkpoint.ts'
import type { Binds } from '../binds/binds.ts'
import type { MemoryFs } from '../files/memory-fs.ts'
import { BindChanges } from './bind-changes.ts'
import { FileChanges } from './file-changes.ts'
import type { TreeReader } from './function-tree.ts'
import { StateReader } from './read-state.ts'
import { SentContents } from './sent-contents.ts'
import { SkippedFact } from './skipped-fact.ts'
import { type SessionState, StateChanges } from './state-changes.ts'

/** What a session was given by a checkpoint. */
export interface Restored {
  readonly session: SessionState
  /** What the host of its binds changed meanwhile. */
  readonly conflicts: readonly ConflictData[]
}

/** What of a shell has changed since its last checkpoint, and the way back. */
export class ShellCheckpoint {
  readonly #fresh: SessionState
  readonly #files: FileChanges
  readonly #binds: BindChanges
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
    {
      programs,
      skipped,
      binds,
    }: { readonly programs: ReadonlySet<string>; readonly skipped: Skipped; readonly binds: Binds },
  ) {
    const sent = new SentContents()
    this.#skipped = new SkippedFact(skipped)
    this.#fresh = fresh
    this.#files = new FileChanges(fs, programs, sent)
    this.#binds = new BindChanges(binds, sent)
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
    const binds = this.#binds.take()
    const skipped = this.#skipped.take()
    const told = [files, binds, state].filter((facts) => facts !== undefined)
    if (told.length === 0 && skipped === undefined) return []
    return splitCheckpoint(
      [...(files?.contents ?? []), ...(binds?.contents ?? [])],
      [...told.flatMap(({ entries }) => entries), ...(skipped === undefined ? [] : [skipped])],
      told.flatMap(({ forgotten }) => forgotten),
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
  restore(part: CheckpointPart, reader: TreeReader): Restored | undefined {
    this.#parts.push(part)
    if (!part.last) return undefined
    const parts = this.#parts.splice(0)
    const contents = new Map<number, Uint8Array>()
    for (const { id, bytes } of parts.flatMap((each) => each.contents)) contents.set(id, bytes)
    const state = new StateReader(this.#fresh, reader)
    for (const entry of parts.flatMap((each) => each.entries)) {
      if (entry.key.startsWith(FILE_KEY)) this.#files.restore(entry, contents)
      else if (entry.key.startsWith(BIND_KEY)) this.#binds.restore(entry, contents)
      else if (entry.key === SKIPPED_KEY) this.#skipped.restore(entry)
      else state.read(entry)
    }
    const { session } = state
    this.#files.restored()
    this.#state.restored(session)
    return { session, conflicts: this.#binds.restored() }
  }
}
