import type { Collector } from './collector.ts'

/** Where a command stands. */
export interface Scope {
  readonly collector: Collector
  /** The program that runs it; undefined for a command of the script. */
  readonly via: string | undefined
  /** How many programs and scripts are around it. */
  readonly depth: number
}

/** Programs and scripts inside each other, at most. */
const DEEPEST = 24

/** The scope of what a program runs. @throws RangeError where it is too deep */
export function within(scope: Scope, via: string): Scope {
  if (scope.depth >= DEEPEST) throw new RangeError('The script nests too deeply.')
  return { ...scope, via, depth: scope.depth + 1 }
}
