import { type CheckpointEntry, FILE_KEY, type FileFact, GONE } from '../contract/checkpoint.ts'
import { ENGINE_DIRECTORIES, isClosedDirectory } from '../contract/engine-directories.ts'
import type { StartRecord } from '../contract/shell-record.ts'

/** Strands Shell has its places from the start. These are the ones that the files of a checkpoint need, still empty. */
export function placesOf(
  entries: readonly CheckpointEntry[],
): Required<Pick<StartRecord, 'files' | 'writable'>> {
  const writable: string[] = []
  const files: [path: string, content: Uint8Array][] = []
  for (const { key, value } of entries) {
    const path = key.slice(FILE_KEY.length)
    if (!key.startsWith(FILE_KEY) || value === GONE || !isPlace(path)) continue
    const { type }: Pick<FileFact, 'type'> = JSON.parse(value)
    if (type === 'directory') writable.push(path)
    if (type === 'file') files.push([path, new Uint8Array()])
  }
  return { writable, files }
}

function isPlace(path: string): boolean {
  const parent = path.slice(0, path.lastIndexOf('/')) || '/'
  return isClosedDirectory(parent) && !ENGINE_DIRECTORIES.has(path)
}
