import { readdirSync, statSync } from 'node:fs'
import { ENGINE_DIRECTORIES, isClosedDirectory } from '../../../../src/contract/engine-directories.ts'
import type { BindRecord, MirrorRecord } from '../../../../src/contract/shell-record.ts'
import { createExclude } from '../../../host-files/exclude.ts'
import { ancestorsOf, prefixOf } from '../../../host-files/paths.ts'
import { HostTree } from '../../../host-files/tree.ts'
import { FarError } from '../../../service/far-error.ts'
import { EmptySources } from '../empty-sources.ts'
import { outOfInodes } from '../guards/write-file.ts'
import { isMirrored } from '../mirroring.ts'
import type { NativeShell } from '../native-shell.ts'
import { STAMP_DIRECTORY } from '../stamp-directory.ts'
import { TRANSLATION_DIRECTORY } from '../translate/directory.ts'
import { checkBounds } from './bounds.ts'
import { bringHostChanges } from './bring-host-changes.ts'
import { Mirror, type MirrorSetup } from './mirror.ts'
import { Mirrors } from './mirrors.ts'
import { lookAtPlace } from './sandbox/look.ts'
import { Place } from './sandbox/place.ts'
import { scanHost } from './scan-host.ts'

/** What a session's mirrors need of the engine before it is built. */
export interface PreparedMirrors extends Disposable {
  /** The binds to build the engine with: an empty place for each that is filled from here. */
  readonly binds: readonly BindRecord[]
  /** Fills the places, and records what is there: later changes are relative to this. */
  fill(shell: NativeShell, options: FillOptions): Promise<Mirrors>
}

/** What is known once the engine is built. */
interface FillOptions {
  readonly bounds: MirrorRecord
  /** Bytes; 0: no limit. */
  readonly maxFileSize: number
}

/**
 * Prepares the mirrors of a session: for its writable direct binds, which are mirrored at every call, and for its copies,
 * whose changes can be listed and applied. Binds have real paths as sources.
 *
 * @param otherPlaces - destinations of binds that are not among these.
 */
export function prepareMirrors(
  binds: readonly BindRecord[],
  otherPlaces: readonly string[] = [],
): PreparedMirrors {
  const places = [
    STAMP_DIRECTORY,
    TRANSLATION_DIRECTORY,
    ...otherPlaces,
    ...binds.map(({ destination }) => destination),
  ]
  refuseShared(binds)
  const empty = new EmptySources()
  const standIn = (isFile: boolean, destination: string) =>
    copyOf(isFile ? empty.file : empty.directory, destination)
  const standIns = (bind: BindRecord) => [
    standIn(statSync(bind.source).isFile(), bind.destination),
    ...entriesToBind(bind, places).map(({ isFile, destination }) => standIn(isFile, destination)),
  ]
  return {
    binds: [
      copyOf(empty.directory, STAMP_DIRECTORY),
      ...binds.flatMap((bind) => (isMirrored(bind) ? standIns(bind) : [bind])),
    ],
    fill: async (shell, options) => {
      const mirrors: Mirror[] = []
      for (const [index, bind] of binds.filter(isMirrored).entries()) {
        const mirror = new Mirror(setupOf(bind, places, index, options), shell)
        const { live } = mirror.setup
        const found = scanHost(mirror, live ? options.bounds.maxFiles + 1 : undefined)
        if (live) checkBounds(found, options.bounds, mirror.setup)
        const isNew = mirror.setup.place.isFile || (await shell.listFiles(bind.destination)).length === 0
        if (!(await bringHostChanges(mirror, found))) throw await refused(shell, bind)
        if (!isNew) await recordRest(mirror)
        mirrors.push(mirror)
      }
      return new Mirrors(shell, mirrors)
    },
    [Symbol.dispose]: () => empty[Symbol.dispose](),
  }
}

/** What lies in a source whose place takes no new entries: the engine has to be built with it. */
function entriesToBind({ source, destination, exclude = [] }: BindRecord, places: readonly string[]) {
  if (!isClosedDirectory(destination)) return []
  const isExcluded = createExclude(exclude, innerOf(destination, places))
  return readdirSync(source, { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .filter((entry) => !isExcluded(entry.name, entry.isDirectory()))
    .map((entry) => ({ isFile: entry.isFile(), destination: prefixOf(destination) + entry.name }))
    .filter((entry) => !ENGINE_DIRECTORIES.has(entry.destination))
}

/** Why the sandbox does not take what a bind holds. */
async function refused(shell: NativeShell, { destination }: BindRecord): Promise<FarError> {
  if (!isClosedDirectory(destination))
    return new FarError((await outOfInodes(shell, destination, 'open')).error)
  return new FarError({
    code: 'INVALID_CONFIG',
    field: 'binds',
    message: `binds: the engine takes no new entries in ${destination}. Bind below it.`,
  })
}

/** The places of other binds inside one, relative to it. */
function innerOf(destination: string, places: readonly string[]): string[] {
  const within = prefixOf(destination)
  return places.flatMap((place) =>
    place !== destination && place.startsWith(within) ? [place.slice(within.length)] : [],
  )
}

function copyOf(source: string, destination: string): BindRecord {
  return { source, destination, mode: 'copy', readonly: false }
}

function setupOf(
  { source, destination, mode, readonly, exclude = [] }: BindRecord,
  places: readonly string[],
  index: number,
  { maxFileSize, bounds }: FillOptions,
): MirrorSetup {
  const inner = innerOf(destination, places)
  const isExcluded = createExclude(exclude, inner)
  const tree = new HostTree(source, { isExcluded, maxFileSize })
  const place = new Place(destination, tree.kind === 'file', index)
  return {
    source,
    readonly,
    live: mode === 'direct',
    place,
    tree,
    isExcluded,
    isInner: createExclude([], inner),
    hasPatterns: exclude.length > 0,
    ways: new Set(inner.flatMap(ancestorsOf)),
    bounds,
  }
}

/** Records what was there before: directories of the engine, or those that lead to other binds. They are no changes. */
async function recordRest({ setup, shell, ledger }: Mirror): Promise<void> {
  const { place, isExcluded } = setup
  for (const [rel, sandbox] of (await lookAtPlace(shell, place, [], isExcluded, () => false)).entries) {
    ledger.recordInitial(rel, sandbox)
  }
}

/** Rejects two mirrors that would write the same files. The sources are real paths, so that links do not hide this. */
function refuseShared(binds: readonly BindRecord[]): void {
  const live = binds.filter(({ mode, readonly }) => mode === 'direct' && !readonly)
  for (const [index, { source, destination }] of live.entries()) {
    const other = live
      .slice(0, index)
      .find((earlier) => isWithin(earlier.source, source) || isWithin(source, earlier.source))
    if (other === undefined) continue
    throw new FarError({
      code: 'INVALID_CONFIG',
      field: 'binds',
      message: `binds: '${destination}' and '${other.destination}' are writable direct binds of the same host files ('${source}'). Keep one of them, or make the other readonly or a copy.`,
    })
  }
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(prefixOf(directory))
}
