/**
 * What a command can do, from the least to the most:
 * - `none`: it changes neither files nor the meaning of command names;
 * - `files`: it may change files, but not the meaning of command names;
 * - `unknown`: it may do anything, such as define a function that hides `ls`;
 * - `hidden`: the same, and the session cannot tell afterwards, because it may define a function of ours anew: the names
 *   `[` and `test` are aliases of such functions.
 */
type EffectKind = 'none' | 'files' | 'unknown' | 'hidden'

/** What a command can do, by its text. */
export interface Effects {
  readonly kind: EffectKind
  /** It may move a file to a path: the file keeps its time of change. */
  readonly renames: boolean
}

/** It only reads. */
export const NONE: Effects = { kind: 'none', renames: false }
/** It may change files. */
export const WRITES: Effects = { kind: 'files', renames: false }
/** It may change files and move them. */
export const WRITES_AND_RENAMES: Effects = { kind: 'files', renames: true }
/** It may do anything. */
export const UNKNOWN: Effects = { kind: 'unknown', renames: true }
/** It may do anything, and the session does not tell. */
export const HIDDEN: Effects = { kind: 'hidden', renames: true }

const RANK: Readonly<Record<EffectKind, number>> = { none: 0, files: 1, unknown: 2, hidden: 3 }

/** The effects of two commands that both run. */
export function both(one: Effects, other: Effects): Effects {
  const worse = RANK[one.kind] < RANK[other.kind] ? other : one
  const renames = one.renames || other.renames
  return renames === worse.renames ? worse : { kind: worse.kind, renames }
}
