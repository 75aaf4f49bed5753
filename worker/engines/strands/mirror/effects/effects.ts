/**
 * What a command can do, from harmless to worst:
 * - `none`: it changes no file, and what command names mean stays as it is;
 * - `files`: it may change files, and what command names mean stays as it is;
 * - `unknown`: it may do anything, such as define a function that hides `ls`.
 */
type EffectKind = 'none' | 'files' | 'unknown'

/** What a command can do, as far as its text says. */
export interface Effects {
  readonly kind: EffectKind
  /** It may bring a file to a path with the time of change it had elsewhere. */
  readonly renames: boolean
}

/** It only looks. */
export const NONE: Effects = { kind: 'none', renames: false }
/** It may change files. */
export const WRITES: Effects = { kind: 'files', renames: false }
/** It may change files and move them. */
export const WRITES_AND_RENAMES: Effects = { kind: 'files', renames: true }
/** It may do anything. */
export const UNKNOWN: Effects = { kind: 'unknown', renames: true }

const RANK: Readonly<Record<EffectKind, number>> = { none: 0, files: 1, unknown: 2 }

/** The effects of two commands that both run. */
export function both(one: Effects, other: Effects): Effects {
  const worse = RANK[one.kind] < RANK[other.kind] ? other : one
  const renames = one.renames || other.renames
  return renames === worse.renames ? worse : { kind: worse.kind, renames }
}
