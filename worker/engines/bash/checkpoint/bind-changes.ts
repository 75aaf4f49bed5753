import type { CheckpointEntry } from '../../../../src/contract/checkpoint.ts'
import type { ConflictData } from '../../../../src/contract/shell-api.ts'
import { bindKey, MARKS_KEY, readBindKey } from '../../../host-files/facts/bind-key.ts'
import { readMarks, writeMarks } from '../../../host-files/facts/marks-fact.ts'
import { unbound } from '../../../host-files/facts/unbound.ts'
import type { Binds } from '../binds/binds.ts'
import type { FileFacts } from './file-changes.ts'
import type { SentContents } from './sent-contents.ts'

/** What has changed of binds, as facts of a checkpoint. */
export class BindChanges {
  readonly #binds: Binds
  readonly #sent: SentContents
  /** The keys that the host has, with the bytes of those that have some. */
  readonly #told = new Map<string, Uint8Array | undefined>()
  /** Keys of binds that this sandbox has not. */
  #strangers: string[] = []
  #marks: string | undefined

  constructor(binds: Binds, sent: SentContents) {
    this.#binds = binds
    this.#sent = sent
  }

  /** Undefined where nothing has changed since the last time. */
  take(): FileFacts | undefined {
    const facts: FileFacts = { contents: [], entries: [], forgotten: this.#strangers }
    this.#strangers = []
    const released: Uint8Array[] = []
    for (const [name, memory] of this.#binds.memories)
      for (const { kind, rel, value, bytes } of memory.take()) {
        const key = bindKey({ ...name, kind, rel })
        const before = this.#told.get(key)
        const wasTold = this.#told.delete(key)
        if (before !== undefined) released.push(before)
        if (value === undefined) {
          if (wasTold) facts.forgotten.push(key)
          continue
        }
        this.#told.set(key, bytes)
        const content = bytes === undefined ? {} : { content: this.#sent.numberOf(bytes, facts.contents) }
        facts.entries.push({ key, value, ...content })
      }
    for (const bytes of released) this.#sent.release(bytes)
    this.#tellMarks(facts)
    return facts.entries.length + facts.forgotten.length === 0 ? undefined : facts
  }

  /**
   * Takes a fact of a checkpoint.
   *
   * @throws {TypeError} where it is not of this version
   * @throws FarError where it has changes of a bind that the sandbox has not
   */
  restore({ key, value, content }: CheckpointEntry, contents: ReadonlyMap<number, Uint8Array>): void {
    if (key === MARKS_KEY) {
      this.#marks = value
      this.#binds.log.restore(readMarks(value))
      return
    }
    const { kind, rel, ...name } = readBindKey(key)
    const memory = this.#binds.withMemory(name)
    if (memory === undefined) {
      if (kind === 'own') throw unbound(name)
      this.#strangers.push(key)
      return
    }
    const bytes = content === undefined ? undefined : contents.get(content)
    memory.restore({ kind, rel, value, ...(bytes === undefined ? {} : { bytes }) })
    this.#told.set(key, bytes)
    if (bytes !== undefined && content !== undefined) this.#sent.hold(bytes, content)
  }

  /** What was restored is known to the host. @returns what the host of the binds changed meanwhile */
  restored(): readonly ConflictData[] {
    return this.#binds.restored()
  }

  #tellMarks({ entries }: FileFacts): void {
    const { state } = this.#binds.log
    const marks = state && writeMarks(state)
    if (marks === undefined || marks === this.#marks) return
    this.#marks = marks
    entries.push({ key: MARKS_KEY, value: marks })
  }
}
