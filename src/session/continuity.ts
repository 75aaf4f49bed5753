import type { CheckpointFacts, CheckpointPart } from '../contract/checkpoint.ts'
import type { LossCode } from '../contract/errors.ts'
import { type CheckpointBounds, KeptCheckpoint } from './kept-checkpoint.ts'

/** Losses after which nothing is restored: it was to be thrown away, or its worker cannot be trusted. */
const final: ReadonlySet<LossCode> = new Set(['RESET', 'PROTOCOL'])

/** What the sessions of one sandbox have of each other: the next one goes on from what the last one had handed over. */
export class Continuity {
  readonly #bounds: CheckpointBounds | undefined
  readonly #endsWithLoss: boolean
  #kept: KeptCheckpoint | undefined

  /**
   * @param bounds - what may be kept; undefined: nothing, so that each session begins afresh.
   * @param endsWithLoss - whether no session comes after one that was lost.
   * @param kept - what the first session begins with.
   */
  constructor(bounds: CheckpointBounds | undefined, endsWithLoss: boolean, kept?: KeptCheckpoint) {
    this.#bounds = bounds
    this.#endsWithLoss = endsWithLoss
    this.#kept = kept
  }

  /** True where the next session has all that the last one had when its last call ended. */
  get isUnbroken(): boolean {
    return this.#kept !== undefined
  }

  /** What to put into the next session; undefined where it is to begin afresh. */
  get checkpoint(): KeptCheckpoint | undefined {
    return this.#kept?.isEmpty === false ? this.#kept : undefined
  }

  /** All that the session has handed over; undefined where it could not. */
  get facts(): CheckpointFacts | undefined {
    return this.#kept?.facts
  }

  /** A session begins afresh. */
  begin(): void {
    this.#kept = this.#bounds === undefined ? undefined : new KeptCheckpoint(this.#bounds)
  }

  /** The next session begins with this. @returns what the next one would have begun with */
  replace(kept: KeptCheckpoint | undefined): KeptCheckpoint | undefined {
    const before = this.#kept
    this.#kept = kept
    return before
  }

  /** Takes what a worker has handed over; null: it can hand over nothing more. False: it is not of the contract. */
  take(part: CheckpointPart | null): boolean {
    const kept = part === null ? 'too large' : this.#kept?.take(part)
    if (kept === 'too large' || kept === 'wrong') this.drop()
    return kept !== 'wrong'
  }

  /** The session was lost. */
  lost(code: LossCode): void {
    if (this.#endsWithLoss || final.has(code)) this.drop()
    else this.#kept?.dropStaged()
  }

  /** Keeps nothing of the session. */
  drop(): void {
    this.#kept = undefined
  }
}
