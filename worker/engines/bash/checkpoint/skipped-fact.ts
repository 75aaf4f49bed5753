import type { CheckpointEntry } from '../../../../src/contract/checkpoint.ts'
import { readSkipped, SKIPPED_KEY, type Skipped } from '../../../service/skipped-fact.ts'

/** What was left out of host directories when the session began, as a fact of a checkpoint. */
export class SkippedFact {
  #list: Skipped
  #isTold: boolean

  constructor(list: Skipped) {
    this.#list = list
    this.#isTold = list.length === 0
  }

  get list(): Skipped {
    return this.#list
  }

  /** Undefined where the host has it. */
  take(): CheckpointEntry | undefined {
    if (this.#isTold) return undefined
    this.#isTold = true
    return { key: SKIPPED_KEY, value: JSON.stringify(this.#list) }
  }

  /** @throws {TypeError} where a checkpoint holds something else */
  restore({ value }: CheckpointEntry): void {
    this.#list = readSkipped(value)
    this.#isTold = true
  }
}
