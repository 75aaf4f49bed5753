import { readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { errorCode } from '../../sandbox/error-code.ts'
import { globsMeet, hasWildcard, literalGlob, parseGlob } from './globs.ts'

/** What one command may cost. */
export interface LookBudget {
  /** Paths and directory entries that may still be looked at. */
  left: number
}

/** The budget of a command, whatever the number of its words. */
export function lookBudget(): LookBudget {
  return { left: 20_000 }
}

/**
 * The paths below a directory that a glob stands for, as a shell has it, and hidden ones too.
 *
 * @param glob - Relative, normalized.
 * @param budget - Is drawn on.
 * @returns undefined where that cannot be told: for `**`, a directory that cannot be read, or a budget that is spent
 */
export function expandWildcards(
  directory: string,
  glob: string,
  budget: LookBudget,
): readonly string[] | undefined {
  const segments = glob.split('/')
  if (segments.some((segment) => segment.includes('**'))) return undefined
  let paths = ['']
  for (const segment of segments) {
    if (hasWildcard(segment)) {
      const next = paths.map((path) => matchesIn(directory, path, segment, budget))
      if (!next.every((matches) => matches !== undefined)) return undefined
      paths = next.flat()
    } else {
      budget.left -= paths.length
      paths = paths.map((path) => child(path, segment))
    }
    if (budget.left < 0) return undefined
  }
  return paths
}

function matchesIn(
  directory: string,
  path: string,
  segment: string,
  budget: LookBudget,
): readonly string[] | undefined {
  if (budget.left < 0) return undefined
  const entries = list(posix.join(directory, path))
  budget.left -= 1 + (entries?.length ?? 0)
  if (entries === undefined || budget.left < 0) return undefined
  const names = parseGlob(segment)
  return entries.filter((name) => globsMeet(names, literalGlob(name))).map((name) => child(path, name))
}

/** No `join`, which reads all of a path: there may be many names. */
function child(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`
}

function list(directory: string): readonly string[] | undefined {
  try {
    return readdirSync(directory)
  } catch (error) {
    return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error) ?? '') ? [] : undefined
  }
}
