import { inBatches } from '../../../host-files/batches.ts'
import { digestOf } from '../../../host-files/digest.ts'
import { sameContentEntry } from '../../../host-files/entry.ts'
import type { Extent } from '../../../host-files/ledger.ts'
import { ancestorsOf } from '../../../host-files/paths.ts'
import type { Mirror } from './mirror.ts'
import type { Look } from './sandbox/look.ts'
import { newerThan } from './sandbox/newer.ts'

/**
 * Finds files that another one was moved over. A file that is moved onto another of its size keeps its time, and a
 * directory that is moved to the place of another keeps the times of all in it. So the contents below directories that
 * changed are compared.
 *
 * @param changed - what is known to have changed: files that changed whole are not compared.
 */
export async function findOverwritten(
  mirror: Mirror,
  look: Look,
  newer: ReadonlySet<string>,
  changed: ReadonlyMap<string, Extent>,
): Promise<string[]> {
  const isRootNewer = mirror.setup.place.isFile || (await hasChangedRoot(mirror))
  const suspects = [...look.entries].filter(
    ([rel, { kind }]) =>
      kind === 'file' &&
      changed.get(rel) !== 'all' &&
      (isRootNewer || ancestorsOf(rel).some((above) => newer.has(above))),
  )
  const overwritten: string[] = []
  await inBatches(
    suspects,
    ([, { size }]) => size,
    async ([rel]) => {
      if (!(await isAsKnown(mirror, rel))) overwritten.push(rel)
    },
  )
  return overwritten
}

/** Whether the sandbox's file has its known content; `false` where the content is not known. */
export async function isAsKnown({ ledger, setup, shell }: Mirror, rel: string): Promise<boolean> {
  const { content, host } = ledger.at(rel) ?? {}
  const path = setup.place.path(rel)
  if (content !== undefined) return digestOf(await shell.readFile(path)) === content
  if (host === undefined || ledger.pendingAt(rel) === 'all') return false
  const file = setup.tree.read(rel)
  if (typeof file === 'string' || !sameContentEntry(file.entry, host)) return false
  return Buffer.compare(file.bytes, await shell.readFile(path)) === 0
}

/** Records the contents of changed files of a copy. Nothing else reads them, and a later comparison needs them. */
export async function learnContents(
  { ledger, setup, shell }: Mirror,
  changed: ReadonlyMap<string, Extent>,
): Promise<void> {
  const rels = [...changed].flatMap(([rel, extent]) => {
    return extent === 'all' && ledger.sandboxAt(rel)?.kind === 'file' ? [rel] : []
  })
  const sizeOf = (rel: string) => ledger.sandboxAt(rel)?.size ?? 0
  await inBatches(rels, sizeOf, async (rel) => {
    ledger.recordContent(rel, await shell.readFile(setup.place.path(rel)))
  })
}

/** Whether entries of the root came or went. */
async function hasChangedRoot({ shell, setup: { place } }: Mirror): Promise<boolean> {
  return (await newerThan(shell, place.stamp, [place.root])).has(place.root)
}
