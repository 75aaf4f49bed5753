import { style } from './terminal.ts'

/** The claims of the tour. Each is checked when it is made. */
export class Claims {
  #held = 0
  readonly #failed: string[] = []

  /** Prints a claim and whether it holds. */
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
