import { FILE_KEY, type FileFact, GONE } from '../contract/checkpoint.ts'
import { ENGINE_DIRECTORIES, OPEN_DIRECTORIES } from '../contract/engine-directories.ts'
import type { StartRecord } from '../contract/shell-record.ts'
import type { KeptCheckpoint } from './kept-checkpoint.ts'
import type { UnopenedRecord } from './session-config.ts'

/**
 * A record for a shell that gets all of its files, variables and directories from a checkpoint. What a sandbox may reach, its
 * binds, credentials, commands and limits stay those of its config.
 */
export function bareRecord(record: UnopenedRecord, { facts }: Pick<KeptCheckpoint, 'facts'>): UnopenedRecord {
  const { files: _files, directories: _directories, writable: _writable, init: _init, ...others } = record
  const bare = { ...others, env: [], cwd: '/' }
  return bare.engine === 'strands' ? { ...bare, ...placesOf(facts) } : bare
}

/** Strands Shell has its places from the start: those in which there are files are made ahead. */
function placesOf({ entries }: KeptCheckpoint['facts']): Pick<StartRecord, 'files' | 'writable'> {
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
  return ENGINE_DIRECTORIES.has(parent) && !OPEN_DIRECTORIES.has(parent) && !ENGINE_DIRECTORIES.has(path)
}
