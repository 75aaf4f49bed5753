import { type CheckpointPart, FILE_KEY, type OmittedPart } from '../../../../src/contract/checkpoint.ts'
import { digestOf } from '../../../host-files/digest.ts'
import { readSkipped, SKIPPED_KEY, type Skipped } from '../../../service/skipped-fact.ts'
import type { NativeShell } from '../native-shell.ts'
import { FunctionReader, functionFacts } from './function-facts.ts'
import type { CheckpointPlaces } from './places.ts'
import { restoreFiles } from './restore-files.ts'
import { restoreFunctions } from './restore-functions.ts'
import { restoreLast, restoreState } from './restore-state.ts'
import { readFiles } from './session-files.ts'
import { readFunctions } from './session-functions.ts'
import { readState, readStatus, setStatus } from './session-state.ts'
import { StateReader, stateFacts } from './state-facts.ts'
import { Told } from './told.ts'
import { wrongFact } from './wrong-fact.ts'

/** What a session of Strands Shell has, all of it, as facts; and the way back. */
export class ShellCheckpoint {
  readonly #shell: NativeShell
  readonly #places: CheckpointPlaces
  readonly #told = new Told()
  readonly #parts: CheckpointPart[] = []

  #skipped: Skipped

  /** @param skipped - what was left out of host directories when the session began. */
  constructor(shell: NativeShell, places: CheckpointPlaces, skipped: Skipped) {
    this.#shell = shell
    this.#places = places
    this.#skipped = skipped
  }

  /** What was left out of host directories when the session began. */
  get skipped(): Skipped {
    return this.#skipped
  }

  /** What has changed since the last time; empty where nothing has. */
  async take(): Promise<readonly CheckpointPart[]> {
    const state = await readState(this.#shell)
    const { kept } = await readFunctions(this.#shell)
    const files = await readFiles(this.#shell, this.#places, (digest) => this.#told.hasContent(digest))
    await setStatus(this.#shell, state.status)
    const skipped = { key: SKIPPED_KEY, value: JSON.stringify(this.#skipped) }
    return this.#told.tell([...files, ...stateFacts(state), ...functionFacts(kept), skipped])
  }

  /** What no checkpoint has. */
  async omitted(): Promise<readonly OmittedPart[]> {
    const status = await readStatus(this.#shell)
    const { omitted } = await readFunctions(this.#shell)
    await setStatus(this.#shell, status)
    return [
      ...omitted.map((name) => ({ kind: 'function', name }) as const),
      ...this.#places.binds.map((name) => ({ kind: 'bind', name }) as const),
      { kind: 'times', name: '/' },
    ]
  }

  /**
   * Takes a part of a checkpoint. With the last one the session, which has run nothing, is what the checkpoint says.
   *
   * @throws {Error} where the checkpoint is not of this engine, or its files have no place
   */
  async restore(part: CheckpointPart): Promise<void> {
    this.#parts.push(part)
    if (!part.last) return
    const parts = this.#parts.splice(0)
    const entries = parts.flatMap((each) => each.entries)
    const contents = new Map(parts.flatMap((each) => each.contents).map(({ id, bytes }) => [id, bytes]))
    const isFile = ({ key }: { readonly key: string }) => key.startsWith(FILE_KEY)
    const reader = new StateReader()
    const functions = new FunctionReader()
    for (const entry of entries) {
      if (entry.key === SKIPPED_KEY) this.#skipped = readSkipped(entry.value)
      else if (!isFile(entry) && !reader.read(entry) && !functions.read(entry)) throw wrongFact()
    }
    const { state } = reader
    await restoreFiles(this.#shell, this.#places, entries.filter(isFile), contents)
    await restoreState(this.#shell, state)
    await restoreFunctions(this.#shell, functions, state)
    await restoreLast(this.#shell, state)
    this.#told.restored(entries, new Map([...contents].map(([id, bytes]) => [id, digestOf(bytes)])))
  }
}
