import { posix } from 'node:path'
import { ancestorsOf } from '../../../host-files/paths.ts'
import type { Reach, ReachedPath } from './effects/reach.ts'
import { currentDirectory, hasLink, mayLeadOn } from './links.ts'
import type { Mirror } from './mirror.ts'

/** A path of a mirror that a command may change. */
export interface Reached {
  readonly rel: string
  /** With all that is below it. */
  readonly below: boolean
}

/** What a command may change of some mirrors. */
export type ReachedIn = ReadonlyMap<Mirror, readonly Reached[]>

/** So few paths are always looked at one by one. */
const FEW = 16
/** Looking at one path costs about as much as listing so many files. */
const COST = 4

/**
 * The paths of the mirrors that a command may change, found before it runs.
 *
 * @param directory - where the command begins; `undefined`: in the session's directory.
 * @returns `'anything'` where that is uncertain, because a link leads on, or where looking at everything is cheaper.
 */
export async function resolveReach(
  mirrors: readonly Mirror[],
  reach: Reach,
  directory: string | undefined,
): Promise<ReachedIn | 'anything'> {
  const known = mirrors.reduce((sum, { ledger }) => sum + ledger.size, 0)
  const isMuch = reach.paths.length > FEW && reach.paths.length * COST > known
  const paths = isMuch ? undefined : await absolutePaths(mirrors, reach, directory)
  if (paths === undefined) return 'anything'
  const reachedIn = new Map(mirrors.map((mirror) => [mirror, [] as Reached[]]))
  const elsewhere: string[] = []
  for (const { path, below } of paths) {
    let isKnown = false
    for (const [mirror, reached] of reachedIn) {
      const { place } = mirror.setup
      const rel = place.rel(path)
      // What leads to a mirror, or is the whole of it.
      if (rel === '' || (below && (path === '/' || place.root.startsWith(`${path}/`)))) return 'anything'
      const seen = rel === undefined ? undefined : notExcluded(mirror, rel)
      if (seen === undefined) continue
      if (mayLeadOn(mirror, seen)) return 'anything'
      reached.push({ rel: seen, below: below && seen === rel })
      isKnown ||= seen === rel
    }
    if (!isKnown) elsewhere.push(path, ...ancestorsOf(path.slice(1)).map((above) => `/${above}`))
  }
  const leadsOn = [...mirrors.map(({ setup }) => setup.place.root), ...elsewhere]
  return (await hasLink(mirrors, leadsOn)) ? 'anything' : reachedIn
}

/** The path, or, where it is excluded, the last directory that leads to it and is not. */
function notExcluded({ setup: { isExcluded } }: Mirror, rel: string): string | undefined {
  if (!isExcluded(rel, true) || !isExcluded(rel, false)) return rel
  return ancestorsOf(rel).findLast((above) => !isExcluded(above, true))
}

/** The paths without `.`, from each directory that relative ones may be meant from; `undefined` where that is uncertain. */
async function absolutePaths(
  mirrors: readonly Mirror[],
  { paths, directories }: Reach,
  directory: string | undefined,
): Promise<ReachedPath[] | undefined> {
  const isAbsolute = paths.every(({ path }) => path.startsWith('/'))
  const first = isAbsolute ? '/' : (directory ?? (await currentDirectory(mirrors)))
  if (!first?.startsWith('/') || (!isAbsolute && directories === 'unknown')) return undefined
  const from = isAbsolute || directories === 'unknown' ? [first] : [first, ...directories]
  const absolute = paths.flatMap(({ path, below }) => {
    return (path.startsWith('/') ? [path] : from.map((base) => `${base}/${path}`)).map((whole) => ({
      path: whole,
      below,
    }))
  })
  // The engine goes up from a link otherwise than from a directory.
  if (absolute.some(({ path }) => path.split('/').includes('..'))) return undefined
  return absolute.map(({ path, below }) => ({ path: posix.normalize(path).replace(/(.)\/$/, '$1'), below }))
}
