import { demand } from '../violation.ts'

/**
 * What the file of a session must count: each call that was acknowledged once, and of those that were lost any. One whose caller gave
 * up can still count behind later ones.
 */
export class Counter {
  readonly #id: string
  /** The number that the last acknowledged call has counted up to. */
  #last = 0
  #acknowledged = 0
  /** Calls that may have counted, or may still. */
  #lost = 0

  constructor(id: string) {
    this.#id = id
  }

  /** A call has counted up to a number. @throws {Violation} where that cannot be */
  counted(number: number): void {
    this.#acknowledged += 1
    this.#require(number, this.#last + 1)
    this.#last = number
  }

  /** A call may have counted. */
  mayHaveCounted(): void {
    this.#lost += 1
  }

  /** The file was read. @throws {Violation} where it cannot hold the number */
  read(number: number): void {
    this.#require(number, this.#last)
  }

  #require(number: number, least: number): void {
    const most = this.#acknowledged + this.#lost
    demand(
      number >= least && number <= most,
      () => `The file of ${this.#id} has counted ${number}, and should have from ${least} to ${most}.`,
    )
  }
}
