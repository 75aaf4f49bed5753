import { posix } from 'node:path'
import { ancestorsOf } from '../../../host-files/paths.ts'
import { currentDirectory, hasLink, mayLeadOn } from './links.ts'
import type { Mirror } from './mirror.ts'

/**
 * Where a path of a file operation leads: to a path in a mirror, `'elsewhere'` (in no mirror), or `'anywhere'`: through a
 * link or from an unknown directory it may lead to any mirror.
 */
export async function locate(
  mirrors: readonly Mirror[],
  path: string,
): Promise<{ readonly mirror: Mirror; readonly rel: string } | 'elsewhere' | 'anywhere'> {
  const absolute = path.startsWith('/') ? path : await fromCurrent(mirrors, path)
  if (absolute === undefined || absolute.split('/').includes('..')) return 'anywhere'
  const normal = posix.normalize(absolute).replace(/(.)\/$/, '$1')
  for (const mirror of mirrors) {
    const { place, isExcluded } = mirror.setup
    const rel = place.rel(normal)
    if (rel === undefined) continue
    if (isExcluded(rel, true)) {
      if (isExcluded(rel, false)) continue
      return 'anywhere'
    }
    return mayLeadOn(mirror, rel) ? 'anywhere' : { mirror, rel }
  }
  const parts = [...ancestorsOf(normal.slice(1)), normal.slice(1)].map((part) => `/${part}`)
  return (await hasLink(mirrors, parts)) ? 'anywhere' : 'elsewhere'
}

async function fromCurrent(mirrors: readonly Mirror[], path: string): Promise<string | undefined> {
  const directory = await currentDirectory(mirrors)
  return directory?.startsWith('/') ? `${directory}/${path}` : undefined
}
