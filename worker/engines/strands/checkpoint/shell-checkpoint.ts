import {
  BIND_KEY,
  type CheckpointEntry,
  type CheckpointPart,
  FILE_KEY,
  type OmittedPart,
} from '../../../../src/contract/checkpoint.ts'
import type { ConflictData } from '../../../../src/contract/shell-api.ts'
import { digestOf } from '../../../host-files/digest.ts'
import { readSkipped, SKIPPED_KEY, type Skipped } from '../../../service/skipped-fact.ts'
import type { LastStatus } from '../last-status.ts'
import { CommandNames } from '../mirror/command-names.ts'
import type { Mirroring } from '../mirroring.ts'
import type { NativeShell } from '../native-shell.ts'
import { FunctionReader, functionFacts } from './function-facts.ts'
import { bindFacts } from './mirror-facts.ts'
import type { CheckpointPlaces } from './places.ts'
import { restoreFiles } from './restore-files.ts'
import { restoreFunctions } from './restore-functions.ts'
import { restoreMirrors } from './restore-mirrors.ts'
import { restoreLast, restoreState } from './restore-state.ts'
import { readFiles } from './session-files.ts'
import { readFunctions } from './session-functions.ts'
import { readState } from './session-state.ts'
import { StateReader, stateFacts } from './state-facts.ts'
import { type Fact, Told } from './told.ts'
import { wrongFact } from './wrong-fact.ts'

/** What checkpoints are of. */
export interface CheckpointedSession {
  readonly shell: NativeShell
  readonly status: LastStatus
  readonly mirroring: Mirroring | undefined
}

/** What a session of Strands Shell has, all of it, as facts; and the way back. */
export class ShellCheckpoint {
  readonly #shell: NativeShell
  readonly #status: LastStatus
  /** What its commands can do, by their text; undefined where they are not followed. */
  readonly #names: CommandNames | undefined
  readonly #places: CheckpointPlaces
  readonly #mirroring: Mirroring | undefined
  readonly #told = new Told()
  readonly #parts: CheckpointPart[] = []
  /** The files of the last checkpoint, where no call can have changed them since. */
  #files: readonly Fact[] | undefined
  #skipped: Skipped

  /**
   * @param given - `skipped`: what was left out of host directories when the session began. `follows`: it is made before the first
   *   command, and told of each.
   */
  constructor(
    { shell, status, mirroring }: CheckpointedSession,
    places: CheckpointPlaces,
    { skipped, follows }: { readonly skipped: Skipped; readonly follows: boolean },
  ) {
    this.#shell = shell
    this.#status = status
    this.#names = follows ? new CommandNames(shell) : undefined
    this.#places = places
    this.#skipped = skipped
    this.#mirroring = mirroring
  }

  /** What was left out of host directories when the session began. */
  get skipped(): Skipped {
    return this.#skipped
  }

  /** A command is about to run. @param text - undefined where it is not known */
  async begins(text: string | undefined): Promise<void> {
    const effects = await this.#names?.effectsOf(text)
    if (effects?.kind !== 'none') this.changesFiles()
  }

  /** A call is about to be made that may change files. */
  changesFiles(): void {
    this.#files = undefined
  }

  /** What has changed since the last time; empty where nothing has. */
  async take(): Promise<readonly CheckpointPart[]> {
    const state = await readState(this.#shell, this.#status.value)
    const { kept } = await readFunctions(this.#shell)
    const isKnown = (digest: string) => this.#told.hasContent(digest)
    const files = this.#files ?? (await readFiles(this.#shell, this.#places, isKnown))
    const binds = this.#mirroring === undefined ? [] : await bindFacts(this.#mirroring, isKnown)
    const skipped = { key: SKIPPED_KEY, value: JSON.stringify(this.#skipped) }
    const facts = [...files, ...binds, ...stateFacts(state), ...functionFacts(kept), skipped]
    const parts = this.#told.tell(facts)
    // The host has the bytes now.
    this.#files = files.map(({ bytes: _, ...fact }) => fact)
    return parts
  }

  /** What no checkpoint has. */
  async omitted(): Promise<readonly OmittedPart[]> {
    const { omitted } = await readFunctions(this.#shell)
    const copies = (this.#mirroring?.mirrors ?? []).filter(({ setup }) => !setup.live && !setup.readonly)
    const held = new Set(copies.map(({ setup }) => setup.place.root))
    return [
      ...omitted.map((name) => ({ kind: 'function', name }) as const),
      ...this.#places.binds
        .filter((name) => !held.has(name))
        .map((name) => ({ kind: 'bind', name }) as const),
      { kind: 'times', name: '/' },
    ]
  }

  /**
   * Takes a part of a checkpoint. With the last one the session, which has run nothing, is what the checkpoint says.
   *
   * @returns what the host of its binds changed meanwhile
   * @throws {Error} where the checkpoint is not of this engine, or its files have no place
   */
  async restore(part: CheckpointPart): Promise<readonly ConflictData[]> {
    this.#parts.push(part)
    if (!part.last) return []
    const parts = this.#parts.splice(0)
    const entries = parts.flatMap((each) => each.entries)
    const contents = new Map(parts.flatMap((each) => each.contents).map(({ id, bytes }) => [id, bytes]))
    const isFile = ({ key }: CheckpointEntry) => key.startsWith(FILE_KEY)
    const isBind = ({ key }: CheckpointEntry) => key.startsWith(BIND_KEY)
    const reader = new StateReader()
    const functions = new FunctionReader()
    for (const entry of entries) {
      if (entry.key === SKIPPED_KEY) this.#skipped = readSkipped(entry.value)
      else if (!isFile(entry) && !isBind(entry) && !reader.read(entry) && !functions.read(entry))
        throw wrongFact()
    }
    const { state } = reader
    await this.#mirroring?.doubtNames()
    await this.#names?.doubt()
    this.changesFiles()
    await restoreFiles(this.#shell, this.#places, entries.filter(isFile), contents)
    const conflicts = await restoreMirrors(this.#mirroring, entries.filter(isBind), contents)
    await restoreState(this.#shell, state)
    await restoreFunctions(this.#shell, functions, state)
    await restoreLast(this.#shell, state)
    this.#status.value = state.status
    this.#told.restored(entries, new Map([...contents].map(([id, bytes]) => [id, digestOf(bytes)])))
    return conflicts
  }
}
