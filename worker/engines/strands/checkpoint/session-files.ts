import { FILE_KEY, type FileFact } from '../../../../src/contract/checkpoint.ts'
import { inBatches } from '../../../host-files/batches.ts'
import { digestOf } from '../../../host-files/digest.ts'
import type { SandboxEntry } from '../../../host-files/types.ts'
import { lookAtPlace } from '../mirror/sandbox/look.ts'
import type { NativeShell } from '../native-shell.ts'
import { listedTime } from '../places/listed-time.ts'
import type { CheckpointPlaces } from './places.ts'
import type { Fact } from './told.ts'

/** The files, directories and links of a session, by path. */
export type SessionFiles = ReadonlyMap<string, SandboxEntry>

/** The root, seen as a place; its device is never one of its entries. */
export const ROOT = {
  root: '/',
  isFile: false,
  stamp: '/dev/null',
  path: (rel: string) => `/${rel}`,
}

/** Lists what a session has. */
export async function listSession(shell: NativeShell, places: CheckpointPlaces): Promise<SessionFiles> {
  const isExcluded = (rel: string) => !places.holds(`/${rel}`) && !places.leadsTo(`/${rel}`)
  const { entries } = await lookAtPlace(shell, ROOT, places.directories, isExcluded, (rel) => rel === '')
  return new Map(
    [...entries].map(([rel, entry]) => [`/${rel}`, entry] as const).filter(([path]) => places.holds(path)),
  )
}

/** Reads what a session has, as facts. @param isKnown - whether the host has the bytes of a digest: they are not kept. */
export async function readFiles(
  shell: NativeShell,
  places: CheckpointPlaces,
  isKnown: (digest: string) => boolean,
): Promise<Fact[]> {
  const files = [...(await listSession(shell, places))]
  return inBatches(
    files,
    ([, { size }]) => size,
    async ([path, entry]) => {
      const fact = { key: FILE_KEY + path, value: factOf(entry) }
      if (entry.kind !== 'file') return fact
      const bytes = await shell.readFile(path)
      const digest = digestOf(bytes)
      // Memory of the addon cannot be transferred.
      return { ...fact, digest, ...(isKnown(digest) ? {} : { bytes: new Uint8Array(bytes) }) }
    },
  )
}

function factOf({ kind, mode, special = 0, shown, target = '' }: SandboxEntry): string {
  return JSON.stringify({
    type: kind === 'link' ? 'symlink' : kind,
    mode: mode + special,
    modified: listedTime(shown),
    ...(kind === 'link' ? { target } : {}),
  } satisfies FileFact)
}
