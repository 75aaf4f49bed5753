import type { UnopenedRecord } from './session-config.ts'

/**
 * A record for a shell that gets all of its files, variables and directories from a checkpoint. What a sandbox may reach, its
 * binds, credentials, commands and limits stay those of its config.
 */
export function bareRecord(record: UnopenedRecord): UnopenedRecord {
  const { files: _files, directories: _directories, writable: _writable, init: _init, ...others } = record
  return { ...others, env: [], cwd: '/' }
}
