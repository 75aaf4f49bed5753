import { posix } from 'node:path'
import { refuse } from '../../sandbox/arguments.ts'
import { requireTexts } from '../arguments.ts'
import { type Glob, globsMeet, hasWildcard, literalGlob, parseGlob } from './globs.ts'

/** What not to touch: a name, a path or a glob, relative to the workdir, and all that is below it. */
export interface IgnorePattern {
  /** One of them matches the path relative to the workdir. */
  readonly paths: readonly Glob[]
  /** One of them matches a name of the path. */
  readonly names: readonly Glob[]
}

const ABOVE = parseGlob('*/')
const BELOW = parseGlob('/*')

/** @throws SandboxConfigError naming the pattern, such as `ignore[0]`, that is no text, empty or absolute. */
export function requireIgnorePatterns(list: unknown): readonly IgnorePattern[] {
  return requireTexts(list, 'ignore').map((text, index) => {
    if (text === '') throw refuse(`ignore[${index}]`, 'must be a pattern, but is empty.')
    if (!posix.isAbsolute(text)) return parsePattern(text)
    throw refuse(`ignore[${index}]`, 'must be relative to the workdir, but is an absolute path.')
  })
}

/** True for a path, relative to the workdir, that a pattern keeps out. */
export function isIgnored(path: string, patterns: readonly IgnorePattern[]): boolean {
  const whole = literalGlob(path)
  const segments = Array.from(new Set(path.split('/')), literalGlob)
  return patterns.some(
    ({ paths, names }) =>
      paths.some((glob) => globsMeet(glob, whole)) ||
      names.some((glob) => segments.some((segment) => globsMeet(glob, segment))),
  )
}

/** True where a glob of paths, relative to the workdir, could stand for one that a pattern keeps out. Its `*` stays in a name. */
export function mayBeIgnored(glob: string, patterns: readonly IgnorePattern[]): boolean {
  const whole = parseGlob(glob, false)
  return patterns.some(({ paths, names }) =>
    [...paths, ...names.flatMap(atAnyDepth)].some((each) => globsMeet(each, whole)),
  )
}

function parsePattern(text: string): IgnorePattern {
  const pattern = posix.normalize(text).replace(/\/$/, '')
  const glob = hasWildcard(pattern) ? parseGlob(pattern) : literalGlob(pattern)
  const names = pattern.startsWith('**/') ? [glob, parseGlob(pattern.slice(3))] : [glob]
  return { paths: withBelow(glob), names }
}

function withBelow(glob: Glob): readonly Glob[] {
  return [glob, [...glob, ...BELOW]]
}

function atAnyDepth(name: Glob): readonly Glob[] {
  return [...withBelow(name), ...withBelow([...ABOVE, ...name])]
}
