import { parentOf } from '../../../../host-files/paths.ts'
import type { SandboxEntry } from '../../../../host-files/types.ts'
import type { NativeShell } from '../../native-shell.ts'
import { quoted } from '../../quoting.ts'
import { type Listing, parseListing } from './listing.ts'
import type { Place } from './place.ts'
import { cutShort, runScript } from './script.ts'

/** What a mirrored place contains in the sandbox. */
export interface Look {
  /** By path below the root, without the root of a directory. Of a whole place: parents first. */
  readonly entries: Map<string, SandboxEntry>
  /** When the stamp was touched, as the engine prints it; `undefined` if it is missing. */
  readonly stampShown: string | undefined
}

type Names = ReadonlyMap<string, SandboxEntry>

/** A directory of which only the name could be read. */
const newDirectory: SandboxEntry = { kind: 'directory', mode: 0o755, size: 0, shown: '' }

/** The most directories that one run lists, so that it is far from the engine's deadline. */
const mostAtOnce = 200

/**
 * Lists a whole place. `directories` are the known ones: they are listed in one run, instead of a run for each level.
 *
 * @param areKnown - whether a directory's names are the known ones. Others are confirmed, because a name with line
 *   breaks can look like several.
 */
export async function lookAtPlace(
  shell: NativeShell,
  place: Pick<Place, 'root' | 'isFile' | 'stamp' | 'path'>,
  directories: readonly string[],
  isExcluded: (rel: string, isDirectory: boolean) => boolean,
  areKnown: (directory: string, names: Names) => boolean,
): Promise<Look> {
  const entries = new Map<string, SandboxEntry>()
  if (place.isFile) {
    const { others } = await listPaths(shell, [place.stamp, place.root])
    const file = others.get(place.root)
    if (file !== undefined) entries.set('', file)
    return { entries, stampShown: others.get(place.stamp)?.shown }
  }
  const found = new Map<string, ReadonlyMap<string, SandboxEntry>>()
  let asked: readonly string[] = ['', ...directories]
  let stampShown: string | undefined
  while (asked.length > 0) {
    const listing = await listPaths(shell, [place.stamp, ...asked.map((rel) => place.path(rel))])
    stampShown = listing.others.get(place.stamp)?.shown
    for (const rel of asked) {
      const path = place.path(rel)
      const shown = listing.directories.get(path)
      if (shown === undefined) found.set(rel, new Map())
      else if (!listing.doubtful.has(path) && areKnown(rel, shown)) found.set(rel, shown)
      else found.set(rel, await confirmed(shell, path, shown))
    }
    asked = unlisted(found, isExcluded)
  }
  walk('', found, isExcluded, (rel, entry) => entries.set(rel, entry))
  return { entries, stampShown }
}

/** The entries of a directory under their real names. */
async function confirmed(shell: NativeShell, path: string, shown: Names): Promise<Names> {
  const names = (await shell.listFiles(path)).map(({ name }) => name)
  if (names.length === shown.size && names.every((name) => shown.has(name))) return shown
  const { directories, others } = await listPaths(
    shell,
    names.map((name) => `${path}/${name}`),
  )
  const entries = new Map<string, SandboxEntry>()
  for (const name of names) {
    const other = others.get(`${path}/${name}`)
    const listed = shown.get(name)
    if (other !== undefined) entries.set(name, other)
    else if (directories.has(`${path}/${name}`)) {
      entries.set(name, listed?.kind === 'directory' ? listed : newDirectory)
    }
  }
  return entries
}

/** What is at these paths below the root now. Missing paths are left out. */
export async function lookAt(shell: NativeShell, place: Place, rels: readonly string[]): Promise<Look> {
  const { directories, others } = await listPaths(shell, [place.stamp, ...rels.map((rel) => place.path(rel))])
  const stampShown = others.get(place.stamp)?.shown
  const entries = new Map<string, SandboxEntry>()
  const inParent: string[] = []
  for (const rel of rels) {
    const path = place.path(rel)
    const entry = others.get(path)
    if (entry !== undefined) entries.set(rel, entry)
    else if (rel !== '' && directories.has(path)) inParent.push(rel)
  }
  if (inParent.length === 0) return { entries, stampShown }
  const parents = await listPaths(shell, [...new Set(inParent.map((rel) => place.path(parentOf(rel))))])
  for (const rel of inParent) {
    const entry = parents.directories.get(place.path(parentOf(rel)))?.get(rel.slice(rel.lastIndexOf('/') + 1))
    if (entry !== undefined) entries.set(rel, entry)
  }
  return { entries, stampShown }
}

/** Lists those of the paths that exist. Paths are absolute. */
export async function listPaths(shell: NativeShell, paths: readonly string[]): Promise<Listing> {
  const all = await listAll(shell, paths)
  if (all !== undefined) return all
  const there = await listAll(shell, await existing(shell, paths))
  if (there === undefined) throw cutShort()
  return there
}

/** Lists paths that should all exist; `undefined` if one does not. */
async function listAll(shell: NativeShell, paths: readonly string[]): Promise<Listing | undefined> {
  const directories = new Map<string, ReadonlyMap<string, SandboxEntry>>()
  const doubtful = new Set<string>()
  const others = new Map<string, SandboxEntry>()
  for (let from = 0, size = mostAtOnce; from < paths.length; ) {
    const some = paths.slice(from, from + size)
    const asked = ['/dev/null', ...some, '/dev/null']
    const output = await runScript(shell, [`'ls' '-la' ${asked.map(quoted).join(' ')}`])
    if (output !== undefined) {
      const listing = parseListing(output, asked)
      if (listing === undefined) return undefined
      for (const [path, entries] of listing.directories) directories.set(path, entries)
      for (const path of listing.doubtful) doubtful.add(path)
      for (const [path, entry] of listing.others) others.set(path, entry)
      from += size
    } else if (size > 1) size = Math.ceil(size / 4)
    else throw cutShort()
  }
  return { directories, doubtful, others }
}

/** Those of the paths that exist. */
async function existing(shell: NativeShell, paths: readonly string[]): Promise<string[]> {
  const there: string[] = []
  for (let from = 0, size = mostAtOnce; from < paths.length; ) {
    const some = paths.slice(from, from + size)
    const tests = some.map((path, index) => {
      const word = quoted(path)
      return `'[' '-e' ${word} '-o' '-L' ${word} ']' && 'echo' '${index}'`
    })
    const output = await runScript(shell, tests)
    if (output !== undefined) {
      for (const index of output.split('\n').slice(0, -1)) there.push(some[Number(index)] ?? '')
      from += size
    } else if (size > 1) size = Math.ceil(size / 4)
    else throw cutShort()
  }
  return there
}

function unlisted(
  found: ReadonlyMap<string, ReadonlyMap<string, SandboxEntry>>,
  isExcluded: (rel: string, isDirectory: boolean) => boolean,
): string[] {
  const rels: string[] = []
  walk('', found, isExcluded, (rel, { kind }) => {
    if (kind === 'directory' && !found.has(rel)) rels.push(rel)
  })
  return rels
}

function walk(
  directory: string,
  found: ReadonlyMap<string, ReadonlyMap<string, SandboxEntry>>,
  isExcluded: (rel: string, isDirectory: boolean) => boolean,
  visit: (rel: string, entry: SandboxEntry) => void,
): void {
  const pending = [directory]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for (const [name, entry] of found.get(parent) ?? []) {
      const rel = parent === '' ? name : `${parent}/${name}`
      if (isExcluded(rel, entry.kind === 'directory')) continue
      visit(rel, entry)
      if (entry.kind === 'directory') pending.push(rel)
    }
  }
}
