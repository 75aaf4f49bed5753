import type { KeptCheckpoint } from './kept-checkpoint.ts'
import { placesOf } from './places-of-facts.ts'
import type { UnopenedRecord } from './session-config.ts'

/**
 * A record for a shell that gets all of its files, variables and directories from a checkpoint. What a sandbox may reach, its
 * binds, credentials, commands and limits stay those of its config.
 */
export function bareRecord(record: UnopenedRecord, { facts }: Pick<KeptCheckpoint, 'facts'>): UnopenedRecord {
  const {
    files: _files,
    directories: _directories,
    tree: _tree,
    writable: _writable,
    init: _init,
    ...others
  } = record
  const bare = { ...others, env: [], cwd: '/' }
  return bare.engine === 'strands' ? { ...bare, ...placesOf(facts.entries) } : bare
}
