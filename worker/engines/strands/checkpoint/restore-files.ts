import { type CheckpointEntry, FILE_KEY, type FileFact, GONE } from '../../../../src/contract/checkpoint.ts'
import { ENGINE_DIRECTORIES } from '../../../../src/contract/engine-directories.ts'
import { FarError } from '../../../service/far-error.ts'
import { bringIn, type Incoming } from '../mirror/sandbox/writer.ts'
import type { NativeShell } from '../native-shell.ts'
import type { CheckpointPlaces } from './places.ts'
import { listSession, ROOT } from './session-files.ts'
import { wrongFact } from './wrong-fact.ts'

/**
 * Has a session have these files and no others.
 *
 * @throws FarError naming a path that the sandbox does not take
 */
export async function restoreFiles(
  shell: NativeShell,
  places: CheckpointPlaces,
  entries: readonly CheckpointEntry[],
  contents: ReadonlyMap<number, Uint8Array>,
): Promise<void> {
  const before = await listSession(shell, places)
  const wanted = new Map(entries.map((entry) => [entry.key.slice(FILE_KEY.length), afterOf(entry, contents)]))
  const incoming: Incoming[] = []
  for (const [path, after] of wanted) {
    const there = before.get(path)
    const target = after?.kind === 'link' ? after.target : ''
    // The engine has other names in their place.
    if (!`${path}${target}`.isWellFormed()) throw refusedPath(path)
    if (!places.holds(path)) {
      const isThere = ENGINE_DIRECTORIES.has(path) || places.binds.includes(path)
      if (after === undefined || (after.kind === 'directory' && isThere)) continue
      throw refusedPath(path)
    }
    if (after?.kind === 'directory' && there?.kind === 'directory' && isSameMode(there, after)) continue
    incoming.push({ rel: path.slice(1), before: there, after })
  }
  for (const [path, there] of before)
    if (!wanted.has(path) && !places.isRoot(path))
      incoming.push({ rel: path.slice(1), before: there, after: undefined })
  const modeOf = (rel: string) => before.get(`/${rel}`)?.mode
  const [refused] = await bringIn(shell, ROOT, incoming, modeOf, new Map())
  if (refused !== undefined) throw refusedPath(`/${refused}`)
}

function isSameMode(
  there: { readonly mode: number; readonly special?: number },
  after: { readonly mode: number },
) {
  return there.mode + (there.special ?? 0) === after.mode
}

function afterOf(
  { value, content }: CheckpointEntry,
  contents: ReadonlyMap<number, Uint8Array>,
): Incoming['after'] {
  if (value === GONE) return undefined
  const { type, mode, target }: Partial<Record<keyof FileFact, unknown>> = JSON.parse(value)
  if (typeof mode !== 'number') throw wrongFact()
  if (type === 'directory') return { kind: type, mode }
  if (type === 'symlink' && typeof target === 'string') return { kind: 'link', target }
  const bytes = content === undefined ? undefined : contents.get(content)
  if (type !== 'file' || bytes === undefined) throw wrongFact()
  return { kind: type, mode, size: bytes.byteLength, read: () => bytes }
}

/** The sandbox does not take a path of a checkpoint. */
export function refusedPath(path: string): FarError {
  const message = `The sandbox does not take '${path}': it is outside of the directories that can be written, its name is not valid here, or limits.maxInodes or limits.maxFileSize is reached.`
  return new FarError({ code: 'PERMISSION_DENIED', path, message })
}
