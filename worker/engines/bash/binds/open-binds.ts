import type { BashRecord, BindRecord } from '../../../../src/contract/shell-record.ts'
import { createExclude } from '../../../host-files/exclude.ts'
import { Ledger } from '../../../host-files/ledger.ts'
import { LiveFiles } from '../../../host-files/live-files.ts'
import { LiveReader } from '../../../host-files/live-reader.ts'
import { resolveSource } from '../../../host-files/resolve-source.ts'
import type { Tracked } from '../../../host-files/tracked.ts'
import type { HostTree } from '../../../host-files/tree.ts'
import type { Volume } from '../files/volume.ts'
import type { BindMemory } from './bind-memory.ts'
import { Binds, type OpenBind } from './binds.ts'
import { CopiedFiles } from './copied-files.ts'
import { CopyMemory } from './copy-memory.ts'
import { CopyRecord } from './copy-record.ts'
import { CopyVolume } from './copy-volume.ts'
import { LiveMemory } from './live-memory.ts'
import { LiveVolume } from './live-volume.ts'
import { ReadonlyVolume } from './readonly-volume.ts'

/** What the binds need of their session. */
interface BindsContext {
  readonly maxFileSize: number
  /** Takes bytes from the bound of the sandbox's files; throws where they are not left. */
  readonly reserve: (bytes: number) => void
}

/** Opens the binds of a record. @throws FarError `INVALID_CONFIG` where a source does not exist */
export function openBinds({ binds }: Pick<BashRecord, 'binds'>, context: BindsContext): Binds {
  const places = binds.map(({ destination }) => destination)
  return new Binds(
    binds.map((bind, index) => openBind(resolveSource(bind, index), places, `bind${index}`, context)),
  )
}

function openBind(
  bind: BindRecord,
  places: readonly string[],
  prefix: string,
  { maxFileSize, reserve }: BindsContext,
): OpenBind {
  const { source, destination: path, mode, readonly, exclude = [] } = bind
  const isExcluded = createExclude(exclude, innerOf(path, places))
  if (readonly) {
    const files = new LiveReader(source, isExcluded)
    const volume = new ReadonlyVolume(files, maxFileSize, prefix)
    return opened(bind, volume, files.tree, new Ledger())
  }
  if (mode === 'direct') {
    const files = new LiveFiles(source, isExcluded)
    const ledger = new Ledger()
    const volume = new LiveVolume(files, ledger, maxFileSize, prefix)
    const memory = new LiveMemory(files.tree, ledger, isExcluded)
    return opened(bind, volume, files.tree, ledger, { memory, stopWrites: () => files.stop() })
  }
  const host = new LiveReader(source, isExcluded)
  const record = new CopyRecord(host, isExcluded)
  const own = new CopiedFiles(reserve)
  const volume = new CopyVolume({ host, record, own, maxFileSize, prefix })
  const memory = new CopyMemory(host.tree, own, record)
  return opened(bind, volume, host.tree, record.ledger, { memory })
}

function opened(
  { source, destination: root, mode, readonly }: BindRecord,
  volume: Volume,
  tree: HostTree,
  ledger: Ledger,
  { memory, stopWrites }: { readonly memory?: BindMemory; readonly stopWrites?: () => void } = {},
): OpenBind {
  let isStopped = false
  const path = (rel: string) => (rel === '' ? root : `${root}/${rel}`)
  const rel = (full: string) =>
    full === root ? '' : full.startsWith(`${root}/`) ? full.slice(root.length + 1) : undefined
  const tracked: Tracked = {
    setup: { source, readonly, live: mode === 'direct', tree, place: { root, path, rel } },
    ledger,
    get isStopped() {
      return isStopped
    },
    path,
    read: async (file) => volume.read(file),
  }
  return {
    path: root,
    volume,
    tracked,
    memory,
    stop: () => {
      isStopped = true
      stopWrites?.()
    },
  }
}

/** The places of other binds inside one, relative to it. */
function innerOf(destination: string, places: readonly string[]): string[] {
  return places.flatMap((place) =>
    place.startsWith(`${destination}/`) ? [place.slice(destination.length + 1)] : [],
  )
}
