import { posix } from 'node:path'
import { below } from '../real-path.ts'
import { expandWildcards, type LookBudget, lookBudget } from './expand-wildcards.ts'
import { hasWildcard } from './globs.ts'
import { type IgnorePattern, isIgnored, mayBeIgnored } from './ignore-patterns.ts'
import type { Place } from './place.ts'
import { resolveWord } from './resolve-word.ts'

/** The path of the first word that leads out of the workdir or to something ignored; undefined where none does. */
export function findDenied(
  argv: readonly string[],
  place: Place,
  patterns: readonly IgnorePattern[],
): string | undefined {
  const budget = lookBudget()
  for (const word of new Set(argv)) {
    const denied = deniedPath(word, place, patterns) ?? deniedMatch(word, place, patterns, budget)
    if (denied !== undefined) return denied
  }
  return undefined
}

function deniedPath(word: string, place: Place, patterns: readonly IgnorePattern[]): string | undefined {
  const { path, inside } = resolveWord(word, place)
  if (inside === undefined || inside.some((each) => isIgnored(each, patterns))) return path
  return undefined
}

/** A word with wildcards is denied for each of its matches; where they cannot be told, for what it could match. */
function deniedMatch(
  word: string,
  place: Place,
  patterns: readonly IgnorePattern[],
  budget: LookBudget,
): string | undefined {
  if (!hasWildcard(word)) return undefined
  const path = posix.resolve(place.workdir, word)
  const glob = below(posix.resolve(place.workdir), path)
  if (glob === undefined) return path
  const matches =
    place.hostWorkdir === undefined ? undefined : expandWildcards(place.hostWorkdir, glob, budget)
  if (matches === undefined) return mayBeIgnored(glob, patterns) ? path : undefined
  for (const match of matches) {
    const denied = deniedPath(posix.resolve(place.workdir, match), place, patterns)
    if (denied !== undefined) return denied
  }
  return undefined
}
