import type { Pattern } from '../text/pattern.ts'

/** Thrown for a script that cannot be read. */
export class SedError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** An expression; undefined is the last one that was used. */
export type SedPattern = Pattern | undefined

export type Address =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'last' }
  | { readonly kind: 'pattern'; readonly pattern: SedPattern }
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'multiple'; readonly of: number }

/** A piece of a replacement: text, a group, or a change of case. */
export type ReplacementPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'group'; readonly group: number }
  | { readonly kind: 'case'; readonly letter: string }

export interface Substitution {
  readonly pattern: SedPattern
  readonly parts: readonly ReplacementPart[]
  readonly global: boolean
  readonly print: boolean
  /** The first match that is replaced, from 1. */
  readonly from: number
  readonly file: string | undefined
}

export interface SedCommand {
  readonly letter: string
  readonly addresses: readonly Address[]
  readonly negated: boolean
  /** Text, a label, a file name or an exit code. */
  readonly text: string
  readonly substitution?: Substitution
  readonly map?: ReadonlyMap<string, string>
  /** Where `{`, `b`, `t` and `T` go to. */
  target: number
  /** While it is in its range: the line where the range ends, or `open`. */
  range: number | 'open' | undefined
}
