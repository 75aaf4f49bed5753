import type { CheckpointFacts, CheckpointPart } from '../contract/checkpoint.ts'
import type { LossCode } from '../contract/errors.ts'
import { KeptCheckpoint } from './kept-checkpoint.ts'
import type { SessionConfig } from './session-config.ts'

/** What a config says of it. */
export type ContinuityOptions = Pick<SessionConfig, 'onInterrupt' | 'onLost' | 'checkpoints' | 'checkpoint'>

/** What the sessions of one sandbox have of each other: the next one goes on from what the last one had handed over. */
export class Continuity {
  readonly #options: ContinuityOptions
  #kept: KeptCheckpoint | undefined
  #version = 0
  /** The end of a checkpoint whose call has not been answered. */
  #unanswered: CheckpointPart | undefined

  /** @param kept - what the first session begins with. */
  constructor(options: ContinuityOptions, kept?: KeptCheckpoint) {
    this.#options = options
    this.#kept = kept
  }

  /** True where the next session has all that the last one had when its last call ended. */
  get isUnbroken(): boolean {
    return this.#kept !== undefined && this.#options.checkpoints === 'call'
  }

  /** What to put into the next session; undefined where it is to begin afresh. */
  get checkpoint(): KeptCheckpoint | undefined {
    return this.#kept?.isEmpty === false ? this.#kept : undefined
  }

  /** All that the session has handed over; undefined where it could not. */
  get facts(): CheckpointFacts | undefined {
    return this.#kept?.facts
  }

  /** A number that is another one whenever what is kept has changed. */
  get version(): number {
    return this.#version
  }

  /** A session begins afresh. */
  begin(): void {
    const { checkpoint: bounds } = this.#options
    this.replace(bounds === undefined ? undefined : new KeptCheckpoint(bounds))
  }

  /** The next session begins with this. @returns what the next one would have begun with */
  replace(kept: KeptCheckpoint | undefined): KeptCheckpoint | undefined {
    const before = this.#kept
    this.#version += 1
    this.#unanswered = undefined
    this.#kept = kept
    return before
  }

  /** Takes what a worker has handed over; null: it can hand over nothing more. False: it is not of the contract. */
  take(part: CheckpointPart | null): boolean {
    if (!this.answered()) return false
    if (part?.last === true) {
      this.#unanswered = part
      return true
    }
    return this.#fold(part)
  }

  /** A call was answered: what it has handed over counts. False: that is not of the contract. */
  answered(): boolean {
    const part = this.#unanswered
    this.#unanswered = undefined
    return part === undefined || this.#fold(part)
  }

  /** The session was lost. */
  lost(code: LossCode): void {
    if (!this.#goesOnAfter(code)) {
      this.drop()
      return
    }
    // Of a call that was interrupted nothing counts.
    if (code === 'RESET') this.#unanswered = undefined
    else this.answered()
    this.#kept?.dropStaged()
  }

  /** Keeps nothing of the session. */
  drop(): void {
    this.replace(undefined)
  }

  #goesOnAfter(code: LossCode): boolean {
    if (code === 'PROTOCOL') return false
    const { onInterrupt, onLost } = this.#options
    return code === 'RESET' ? onInterrupt === 'restore' : onLost === 'restore'
  }

  #fold(part: CheckpointPart | null): boolean {
    this.#version += 1
    const kept = part === null ? 'too large' : this.#kept?.take(part)
    if (kept === 'too large' || kept === 'wrong') this.drop()
    return kept !== 'wrong'
  }
}
