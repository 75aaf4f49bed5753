import type { CheckpointPart } from '../contract/checkpoint.ts'
import type { LossCode } from '../contract/errors.ts'
import { type CheckpointBounds, KeptCheckpoint } from './kept-checkpoint.ts'

/** Losses after which nothing is restored: it was to be thrown away, or its worker cannot be trusted. */
const final: ReadonlySet<LossCode> = new Set(['RESET', 'PROTOCOL'])

/** What the sessions of one sandbox have of each other: the next one goes on from what the last one had handed over. */
export class Continuity {
  readonly #bounds: CheckpointBounds | undefined
  #kept: KeptCheckpoint | undefined

  /** @param bounds - what may be kept; undefined: nothing, so that each session begins afresh. */
  constructor(bounds: CheckpointBounds | undefined) {
    this.#bounds = bounds
  }

  /** True where the next session has all that the last one had when its last call ended. */
  get isUnbroken(): boolean {
    return this.#kept !== undefined
  }

  /** What to put into the next session; undefined where it is to begin afresh. */
  get checkpoint(): KeptCheckpoint | undefined {
    return this.#kept?.isEmpty === false ? this.#kept : undefined
  }

  /** A session begins afresh. */
  begin(): void {
    this.#kept = this.#bounds === undefined ? undefined : new KeptCheckpoint(this.#bounds)
  }

  /** Takes what a worker has handed over; null: it can hand over nothing more. False: it is not of the contract. */
  take(part: CheckpointPart | null): boolean {
    const kept = part === null ? 'too large' : this.#kept?.take(part)
    if (kept === 'too large' || kept === 'wrong') this.drop()
    return kept !== 'wrong'
  }

  /** The session was lost. */
  lost(code: LossCode): void {
    if (final.has(code)) this.drop()
    else this.#kept?.dropStaged()
  }

  /** Keeps nothing of the session. */
  drop(): void {
    this.#kept = undefined
  }
}
