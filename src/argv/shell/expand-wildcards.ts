import { readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { errorCode } from '../real-path.ts'
import { globsMeet, hasWildcard, literalGlob, parseGlob } from './globs.ts'

/** Directory entries to look at for one word. */
const MAX_LOOKED_AT = 20_000

/**
 * The paths below a directory that a glob stands for, as a shell has it, and hidden ones too.
 *
 * @param glob - Relative, normalized.
 * @returns undefined where that cannot be told: for `**`, a directory that cannot be read, or too many entries
 */
export function expandWildcards(directory: string, glob: string): readonly string[] | undefined {
  const segments = glob.split('/')
  if (segments.some((segment) => segment.includes('**'))) return undefined
  let lookedAt = 0
  let paths = ['']
  for (const segment of segments) {
    if (!hasWildcard(segment)) {
      paths = paths.map((path) => posix.join(path, segment))
      continue
    }
    const names = parseGlob(segment)
    const next: string[] = []
    for (const path of paths) {
      const entries = list(posix.join(directory, path))
      lookedAt += entries?.length ?? 0
      if (entries === undefined || lookedAt > MAX_LOOKED_AT) return undefined
      const matches = entries.filter((name) => globsMeet(names, literalGlob(name)))
      next.push(...matches.map((name) => posix.join(path, name)))
    }
    paths = next
  }
  return paths
}

function list(directory: string): readonly string[] | undefined {
  try {
    return readdirSync(directory)
  } catch (error) {
    return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error)) ? [] : undefined
  }
}
