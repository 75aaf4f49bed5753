import { style } from './terminal.ts'

/** What the tour says about itself, each checked as it is said. */
export class Claims {
  #held = 0
  readonly #failed: string[] = []

  /** States a claim and shows whether it holds. */
  check(claim: string, holds: boolean): void {
    if (holds) this.#held += 1
    else this.#failed.push(claim)
    console.log(`  ${holds ? style('green', '✓') : style('red', '✗ NOT TRUE:')} ${claim}`)
  }

  get held(): number {
    return this.#held
  }

  get failed(): readonly string[] {
    return this.#failed
  }
}
