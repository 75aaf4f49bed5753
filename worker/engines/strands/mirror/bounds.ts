import type { MirrorRecord } from '../../../../src/contract/shell-record.ts'
import type { HostListing } from '../../../host-files/tree.ts'
import type { Skipped } from '../../../host-files/types.ts'
import { FarError } from '../../../service/far-error.ts'
import type { Mirror, MirrorSetup } from './mirror.ts'

/**
 * Rejects a host directory that is too large to mirror.
 *
 * @throws FarError `LIMIT_EXCEEDED`, with the limit and what to do.
 */
export function checkBounds(
  { entries }: HostListing,
  { maxFiles, maxBytes }: MirrorRecord,
  { source, place }: MirrorSetup,
): void {
  let bytes = 0
  for (const { size } of entries.values()) bytes += size
  // The root itself is one of the entries.
  if (entries.size - 1 > maxFiles)
    throw over('limits.mirrorMaxFiles', maxFiles, 'files, directories and links')
  if (bytes > maxBytes) throw over('limits.mirrorMaxBytes', maxBytes, 'bytes')

  function over(name: string, value: number, unit: string): FarError {
    return new FarError({
      code: 'LIMIT_EXCEEDED',
      limit: { name, value },
      message:
        `The writable direct bind of '${source}' at ${place.root} holds more than ${value} ${unit} (${name}), too many to mirror. ` +
        "Bind something narrower, exclude what is not needed (exclude: ['node_modules', '.git']), raise the limit, or bind it with mode 'copy', or with mode 'passthrough' and its hazards (docs/binds.md).",
    })
  }
}

/**
 * Leaves out new host entries that exceed the bounds, so that the sandbox of a directory that grows still works. Paths that
 * the mirror knows are always included.
 */
export function withinBounds({ ledger, setup }: Mirror, found: HostListing): HostListing {
  const { maxFiles, maxBytes } = setup.bounds
  let bytes = 0
  for (const { size } of found.entries.values()) bytes += size
  if (found.entries.size - 1 <= maxFiles && bytes <= maxBytes) return found
  const isKnown = (rel: string) => ledger.at(rel) !== undefined
  let files = ledger.size
  bytes = 0
  for (const [rel, { size }] of found.entries) if (isKnown(rel)) bytes += size
  const entries: HostListing['entries'] = new Map()
  const skipped: Skipped[] = [...found.skipped]
  for (const [rel, entry] of found.entries) {
    if (!isKnown(rel) && rel !== '') {
      if (files + 1 > maxFiles || bytes + entry.size > maxBytes) {
        skipped.push({ path: rel, reason: 'over the bounds' })
        continue
      }
      files += 1
      bytes += entry.size
    }
    entries.set(rel, entry)
  }
  return { entries, skipped }
}
