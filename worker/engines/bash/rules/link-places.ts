import { MAX_LINKS } from '../files/written-path.ts'
import type { IFileSystem } from '../just-bash.ts'

/** A path, the links that it leads through, and where it leads: who could write one of them could change what is at the path. */
export async function linkPlaces(
  path: string,
  files: Pick<IFileSystem, 'lstat' | 'readlink'>,
): Promise<readonly string[]> {
  const places = [path]
  const rest = path.split('/').reverse()
  let at = ''
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
      continue
    }
    const next = `${at}/${name}`
    const stat = await files.lstat(next).catch(() => undefined) // Nothing is there yet.
    if (stat?.isSymbolicLink !== true || places.length > MAX_LINKS) {
      at = next
      continue
    }
    places.push(next)
    const target = await files.readlink(next)
    if (target.startsWith('/')) at = ''
    rest.push(...target.split('/').reverse())
  }
  return [...new Set([...places, at === '' ? '/' : at])]
}
