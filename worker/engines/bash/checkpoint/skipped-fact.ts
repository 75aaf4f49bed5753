import type { CheckpointEntry } from '../../../../src/contract/checkpoint.ts'
import type { ShellDescription } from '../../../../src/contract/shell-api.ts'

export type Skipped = ShellDescription['skipped']

/** The key of the fact. */
export const SKIPPED_KEY = 'skipped'

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
    const list: unknown = JSON.parse(value)
    if (!Array.isArray(list)) throw wrong()
    this.#list = list.map(readOne)
    this.#isTold = true
  }
}

function readOne(one: unknown): Skipped[number] {
  if (typeof one !== 'object' || one === null) throw wrong()
  const { bind, path, reason }: Partial<Record<keyof Skipped[number], unknown>> = one
  if (typeof bind !== 'string' || typeof path !== 'string' || typeof reason !== 'string') throw wrong()
  return { bind, path, reason }
}

function wrong(): TypeError {
  return new TypeError('The checkpoint is not of this version of the bash engine.')
}
