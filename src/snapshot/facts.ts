import {
  BIND_KEY,
  type CheckpointEntry,
  type CheckpointFacts,
  FILE_KEY,
  type FileFact,
  GONE,
} from '../contract/checkpoint.ts'
import { matches, number, objectOf, oneOf, orAbsent, text } from '../sandbox/schema-parts.ts'
import { digestOf } from './digest.ts'
import type { BindEntry, FileEntry, Manifest } from './manifest-schema.ts'
import { refuseSnapshot } from './refuse.ts'
import type { Turns } from './turns.ts'

/** What a manifest says of a session, and the bytes that it names by digest. */
export interface NamedFacts extends Pick<Manifest, 'files' | 'state' | 'binds'> {
  readonly contents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

const factSchema = objectOf<FileFact>({
  type: oneOf<FileFact['type']>({ file: true, directory: true, symlink: true }),
  mode: number,
  modified: number,
  target: orAbsent(text),
})

/** The facts of a checkpoint by name. @throws SnapshotError where they are not of the contract */
export async function nameFacts({ entries, contents }: CheckpointFacts, turns: Turns): Promise<NamedFacts> {
  const named = new Map<string, Uint8Array<ArrayBuffer>>()
  const digests = new Map<number, string>()
  for (const [id, bytes] of contents) {
    const digest = await digestOf(bytes, turns)
    digests.set(id, digest)
    if (!named.has(digest)) named.set(digest, bytes)
  }
  const files: FileEntry[] = []
  const state: Manifest['state'][number][] = []
  const binds: BindEntry[] = []
  for (const entry of entries) {
    const { key, value } = entry
    if (key.startsWith(FILE_KEY)) files.push(fileEntryOf(entry, digests))
    else if (key.startsWith(BIND_KEY)) binds.push(bindEntryOf(entry, digests))
    else state.push({ key, value })
  }
  return { files, state, ...(binds.length === 0 ? {} : { binds }), contents: named }
}

/** The facts as a shell takes them. Every digest that a file or a bind names is one of the contents. */
export function numberFacts({ files, state, binds = [], contents }: NamedFacts): CheckpointFacts {
  const numbers = new Map([...contents.keys()].map((digest, at) => [digest, at + 1]))
  const numbered = new Map([...contents.values()].map((bytes, at) => [at + 1, bytes]))
  const entries: CheckpointEntry[] = files.map((file) => {
    const key = FILE_KEY + file.path
    if (file.type === 'gone') return { key, value: GONE }
    const { type, mode, modified } = file
    const target = file.type === 'symlink' ? { target: file.target } : {}
    const value = JSON.stringify({ type, mode, modified, ...target } satisfies FileFact)
    const content = file.type === 'file' ? numbers.get(file.content) : undefined
    return content === undefined ? { key, value } : { key, value, content }
  })
  const bound = binds.map(({ key, value, content }): CheckpointEntry => {
    const number = content === undefined ? undefined : numbers.get(content)
    return number === undefined ? { key, value } : { key, value, content: number }
  })
  return { entries: [...entries, ...state, ...bound], contents: numbered }
}

function bindEntryOf(
  { key, value, content }: CheckpointEntry,
  digests: ReadonlyMap<number, string>,
): BindEntry {
  if (content === undefined) return { key, value }
  const digest = digests.get(content)
  if (digest === undefined) throw refuseSnapshot('malformed', 'has what is no fact of a bind.')
  return { key, value, content: digest }
}

function fileEntryOf(
  { key, value, content }: CheckpointEntry,
  digests: ReadonlyMap<number, string>,
): FileEntry {
  const path = key.slice(FILE_KEY.length)
  if (value === GONE) return { path, type: 'gone' }
  const fact: unknown = JSON.parse(value)
  if (!matches(factSchema, fact)) throw wrong()
  const { type, mode, modified, target } = fact
  if (type === 'directory') return { path, type, mode, modified }
  if (type === 'symlink' && target !== undefined) return { path, type, mode, modified, target }
  const digest = content === undefined ? undefined : digests.get(content)
  if (type !== 'file' || digest === undefined) throw wrong()
  return { path, type, mode, modified, content: digest }
}

function wrong(): Error {
  return refuseSnapshot('malformed', 'has what is no fact of a file.')
}
