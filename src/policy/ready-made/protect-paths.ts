import { refuse } from '../../sandbox/arguments.ts'
import type { Policy } from '../types.ts'
import { absolutePaths } from './paths.ts'
import { protecting } from './protecting.ts'

/**
 * Lets no call write, move or remove these absolute paths of the sandbox and what is below them, or move and remove a
 * directory that holds one. They can be read.
 *
 * Bash refuses each write where the file is opened, whatever the text says, and through links, too. In Strands Shell and in
 * jails the text alone is judged: only commands run of which it is known what they write, to absolute paths, or to relative ones where the call
 * has a `cwd` and no `cd`. `lua`, `curl`, `ln`, `chmod`, `sed -i`, scripts in files, and all that is only known at run time are
 * denied.
 *
 * It cannot see what the host does to a bound directory, and, in Strands Shell and jails, where links lead that were there
 * before. In a jail it does not see what bash computes out of values: `$((x))`, `${x@P}`.
 *
 * @throws {SandboxConfigError} with the field `paths` where it is not absolute paths, or none
 */
export function protectPaths(paths: readonly string[]): Policy {
  const places = absolutePaths(paths, 'paths')
  if (places.length === 0) throw refuse('paths', 'must have a path, but is empty.')
  return protecting(places, [])
}
