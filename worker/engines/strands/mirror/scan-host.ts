import { HostGoneError } from '../../../host-files/errors.ts'
import { ancestorsOf } from '../../../host-files/paths.ts'
import type { HostListing } from '../../../host-files/tree.ts'
import type { HostEntry, Skipped } from '../../../host-files/types.ts'
import { FarError } from '../../../service/far-error.ts'
import { withinBounds } from './bounds.ts'
import type { Mirror } from './mirror.ts'

/**
 * Looks at the whole host side, and records what is skipped.
 *
 * @param most - the scan ends after this many entries.
 * @throws FarError `IO_ERROR` where the bound directory is gone.
 */
export function scanHost(mirror: Mirror, most?: number): HostListing {
  const scan = whileThere(mirror, () => mirror.setup.tree.scan(most))
  mirror.ledger.recordSkipped(scan.skipped)
  return scan
}

/** The same, without new entries that exceed the bounds: these are skipped. */
export function scanHostWithinBounds(mirror: Mirror): HostListing {
  const found = withinBounds(mirror, scanHost(mirror))
  mirror.ledger.recordSkipped(found.skipped)
  return found
}

/**
 * Looks at one path of the host and the directories that lead to it.
 *
 * @param list - whether to look at the entries of the directory at the path, too.
 * @returns what is there, and the known paths that were looked for.
 */
export function scanHostAt(
  mirror: Mirror,
  rel: string,
  list: boolean,
): { found: HostListing; scope: string[] } {
  const { tree } = mirror.setup
  const scope = [...ancestorsOf(rel), rel]
  const entries = new Map<string, HostEntry>()
  const skipped: Skipped[] = []
  whileThere(mirror, () => {
    for (const path of scope) {
      const entry = tree.look(path)
      if (entry === undefined) break
      if ('reason' in entry) {
        skipped.push(entry)
        break
      }
      entries.set(path, entry)
    }
    const listed = list ? tree.list(rel) : undefined
    if (listed === undefined || 'reason' in listed) return
    skipped.push(...listed.skipped)
    for (const [name, entry] of listed.entries) entries.set(rel === '' ? name : `${rel}/${name}`, entry)
    for (const path of mirror.ledger.paths()) if (isChild(path, rel)) scope.push(path)
  })
  return { found: { entries, skipped }, scope }
}

function isChild(path: string, directory: string): boolean {
  const start = directory === '' ? 0 : directory.length + 1
  if (start > 0 && !path.startsWith(`${directory}/`)) return false
  return path.length > start && !path.includes('/', start)
}

function whileThere<T>(mirror: Mirror, look: () => T): T {
  try {
    return look()
  } catch (error) {
    if (!(error instanceof HostGoneError)) throw error
    const { source, place, tree } = mirror.setup
    throw new FarError({
      code: 'IO_ERROR',
      path: place.root,
      message: `The host's ${tree.kind} bound at ${place.root} is gone: '${source}'. Bring it back and call again; the sandbox still has its files.`,
    })
  }
}
