import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parse } from 'smol-toml'
import type { ShellRecord } from '../../../contract/shell-record.ts'
import { isRecord } from '../../../sandbox/is-record.ts'

/** A file or directory of the host that the worker of a sandbox reads, or writes too. */
export interface HostPath {
  /** Where the config names it. */
  readonly field: string
  readonly path: string
  readonly writable: boolean
  /** It is read again and again: what is there at the time counts. */
  readonly live: boolean
}

/** All that the worker of a sandbox reaches of the host: binds, directories that it takes in, and its config file. */
export async function hostPaths(record: ShellRecord): Promise<readonly HostPath[]> {
  const { binds, directories = [] } = record
  const configFile = record.engine === 'strands' ? record.configFile : undefined
  return [
    ...binds.map(({ source, mode, readonly }, at) => ({
      field: `binds[${at}].source`,
      path: source,
      // What a copy has changed can be applied.
      writable: !readonly,
      live: mode !== 'copy',
    })),
    ...directories.map(({ path, source }) => onceRead(`files[${JSON.stringify(path)}].directory`, source)),
    ...(configFile === undefined ? [] : [onceRead('configFile', configFile), ...(await bindsIn(configFile))]),
  ]
}

/** The binds of a config file of the engine, which takes a relative source from the directory of the process. */
async function bindsIn(configFile: string): Promise<HostPath[]> {
  let entries: unknown
  try {
    entries = parse(await readFile(configFile, 'utf8'))['bind']
  } catch {
    return [] // The engine reads the same file next and says what is wrong with it.
  }
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry['source'] !== 'string') return []
    const { source, mode = 'copy', readonly } = entry
    return [
      { field: 'configFile', path: resolve(source), writable: readonly !== true, live: mode !== 'copy' },
    ]
  })
}

function onceRead(field: string, path: string): HostPath {
  return { field, path, writable: false, live: false }
}
