import type { LossData } from '../../contract/errors.ts'
import type { CellLane } from './cell-lane.ts'

/** The lanes of one cell, by number. A number is used once. */
export class CellLanes {
  readonly #lanes = new Map<number, CellLane>()
  #last = 0

  /** True until the first number was taken. */
  get isUnused(): boolean {
    return this.#last === 0
  }

  /** Leases, those that open included. */
  get held(): number {
    return this.#count('held')
  }

  /** Retired leases whose native call still runs. */
  get retired(): number {
    return this.#count('retired')
  }

  nextNumber(): number {
    this.#last += 1
    return this.#last
  }

  set(number: number, lane: CellLane): void {
    this.#lanes.set(number, lane)
  }

  get(number: number): CellLane | undefined {
    return this.#lanes.get(number)
  }

  delete(number: number): void {
    this.#lanes.delete(number)
  }

  /** All are lost, for the same reason. */
  lose(loss: LossData): void {
    for (const lane of this.#lanes.values()) lane.lose(loss)
    this.#lanes.clear()
  }

  #count(state: CellLane['state']): number {
    let count = 0
    for (const lane of this.#lanes.values()) if (lane.state === state) count += 1
    return count
  }
}
