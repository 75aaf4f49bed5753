import type { Outcome } from '../../../../src/contract/shell-api.ts'
import type { NativeShell } from '../native-shell.ts'
import { type Facts, factsOf, isSame, realDirectory } from './facts.ts'
import { missing, parentPath, refused } from './failures.ts'
import { makeParent } from './make-directory.ts'

/** Two paths of which the first may be put at the second, whose directory is there. */
export interface CheckedPlaces {
  readonly source: Facts
  /** Whether nothing is at the second path. */
  readonly isNew: boolean
}

/** Checks that what is at `from` may be put at `to`, and makes the directories that lead there. */
export async function checkPlaces(
  shell: NativeShell,
  operation: 'move' | 'copy',
  from: string,
  to: string,
): Promise<Outcome<CheckedPlaces>> {
  const [source, target] = await factsOf(shell, [from, to])
  if (source === undefined || !source.isThere) return missing(operation, from)
  if (target?.isDirectory === true) return refused(operation, to, 'there is a directory')
  const isTree = source.isDirectory && !source.isLink
  const isNew = target?.isThere !== true
  if (isTree && !isNew)
    return refused(operation, to, 'there is something already, which a directory does not replace')
  if (await isSame(shell, from, to)) return refused(operation, to, 'both paths are the same file')
  const made = await makeParent(shell, operation, to, parentPath(to))
  if (!made.ok) return made
  if (isTree && (await isWithin(shell, to, from))) {
    return refused(operation, to, 'it is inside the directory itself')
  }
  return { ok: true, value: { source, isNew } }
}

async function isWithin(shell: NativeShell, path: string, directory: string): Promise<boolean> {
  const parent = await realDirectory(shell, parentPath(path))
  const real = await realDirectory(shell, directory)
  // What cannot be entered is neither moved nor copied.
  if (parent === undefined || real === undefined) return true
  return `${parent}/`.startsWith(`${real}/`)
}
