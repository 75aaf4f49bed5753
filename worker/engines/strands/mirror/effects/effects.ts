import { bothReach, NOWHERE, type Reach, reaching } from './reach.ts'

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
  /** The paths that it may change. */
  readonly reach: Reach | 'anything'
}

/** It only reads. */
export const NONE: Effects = { kind: 'none', renames: false, reach: NOWHERE }
/** It may change files. */
export const WRITES: Effects = { kind: 'files', renames: false, reach: 'anything' }
/** It may change files and move them. */
export const WRITES_AND_RENAMES: Effects = { kind: 'files', renames: true, reach: 'anything' }
/** It may do anything. */
export const UNKNOWN: Effects = { kind: 'unknown', renames: true, reach: 'anything' }
/** It may do anything, and the session does not tell. */
export const HIDDEN: Effects = { kind: 'hidden', renames: true, reach: 'anything' }

/** It may change these files. */
export function writesAt(paths: readonly string[], below?: boolean): Effects {
  return { kind: 'files', renames: false, reach: reaching(paths, below) }
}

/** It changes to another directory; `null`: its name is not known. */
export function changesDirectory(to: string | null): Effects {
  const directories = to?.startsWith('/') ? [to] : 'unknown'
  return { ...NONE, reach: { paths: [], directories } }
}

const RANK: Readonly<Record<EffectKind, number>> = { none: 0, files: 1, unknown: 2, hidden: 3 }

/** The effects of two commands that both run. */
export function both(one: Effects, other: Effects): Effects {
  const worse = RANK[one.kind] < RANK[other.kind] ? other : one
  if (other === NONE || (worse.renames && worse.reach === 'anything')) return worse
  const renames = one.renames || other.renames
  return { kind: worse.kind, renames, reach: bothReach(one.reach, other.reach) }
}
