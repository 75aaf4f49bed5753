import { shielded } from '../guards/rewrite.ts'

/** A command that is not run: what is in it, and what to write instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Where a construct has no other remedy. */
const BASH = 'use a BashSandbox'

/** A text behind the guards. What they cannot read with certainty is refused. */
export function guarded(text: string): string {
  return shielded(text) ?? refuse('this mix of constructs', 'split it into several commands')
}

/**
 * The refusal of a construct.
 *
 * @param construct - what was found, as the subject of a sentence.
 * @param remedy - what to write, as an imperative; a sandbox of bash where it is left out.
 */
export function refuse(construct: string, remedy?: string): never {
  throw new Refusal(
    `${construct} is not available here: ${remedy === undefined ? BASH : `${remedy}, or ${BASH}`}`,
  )
}
