import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { BindRecord, StrandsRecord } from '../../../src/contract/shell-record.ts'
import { loadOnDemand } from './load-on-demand.ts'
import { makeTemporaryDirectory } from './temporary-directory.ts'

/** A record's binds together with those of its config file that are to be mirrored, and the file without them. */
export interface WithoutMirrored extends Disposable {
  readonly binds: readonly BindRecord[]
  /** Where the file's other binds are. */
  readonly otherPlaces: readonly string[]
  /** The file's `max_output` in bytes, if it names one. */
  readonly maxOutput: number | undefined
  /** The file to build the engine with instead, if it is another one. */
  readonly configFile: { readonly configFile?: string }
}

/** Takes the writable direct binds out of a record's config file; an explicit bind of the same place wins. */
export function withoutMirrored({ binds, configFile }: StrandsRecord): WithoutMirrored {
  const file = configFile === undefined ? undefined : loadOnDemand().readConfigFile(configFile)
  const maxOutput = file?.maxOutput
  const otherPlaces = file?.otherPlaces ?? []
  if (file === undefined || file.binds.length === 0) {
    return { binds, otherPlaces, maxOutput, configFile: {}, [Symbol.dispose]: () => undefined }
  }
  const explicit = new Set(binds.map(({ destination }) => destination))
  const fd = namelessFile(file.rest())
  return {
    binds: [...file.binds.filter(({ destination }) => !explicit.has(destination)), ...binds],
    otherPlaces,
    maxOutput,
    configFile: { configFile: `/dev/fd/${fd}` },
    [Symbol.dispose]: () => closeSync(fd),
  }
}

/** An open file that no directory names: the text may hold tokens, and nothing of it is left, whatever ends this process. */
function namelessFile(text: string): number {
  const home = makeTemporaryDirectory('strands-shell-config-')
  let fd: number
  try {
    fd = openSync(join(home, 'config.toml'), 'wx+', 0o600)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  const bytes = Buffer.from(text)
  // At positions of their own: where `/dev/fd` shares the offset, the engine reads from the start.
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at)
  return fd
}
