/** A path that a command may change, as it is written. */
export interface ReachedPath {
  readonly path: string
  /** With all that is below it. */
  readonly below: boolean
}

/** What a command may change of files: these paths at most. */
export interface Reach {
  readonly paths: readonly ReachedPath[]
  /**
   * The directories that the command may change to, absolute: relative paths are meant from there, or from the directory in
   * which the command began. `'unknown'`: relative paths may be meant from anywhere.
   */
  readonly directories: readonly string[] | 'unknown'
}

/** It changes no path. */
export const NOWHERE: Reach = { paths: [], directories: [] }

/** The most paths that are worth to be looked at one by one. */
const MOST = 1000

/** It changes these paths at most. */
export function reaching(paths: readonly string[], below = false): Reach {
  return { paths: paths.map((path) => ({ path, below })), directories: [] }
}

/** What two commands may change that both run. */
export function bothReach(one: Reach | 'anything', other: Reach | 'anything'): Reach | 'anything' {
  if (one === NOWHERE) return other
  if (other === NOWHERE) return one
  if (one === 'anything' || other === 'anything') return 'anything'
  if (one.paths.length + other.paths.length > MOST) return 'anything'
  const isUnknown = one.directories === 'unknown' || other.directories === 'unknown'
  return {
    paths: [...one.paths, ...other.paths],
    directories: isUnknown ? 'unknown' : [...one.directories, ...other.directories],
  }
}
