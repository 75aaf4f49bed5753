import { realpathSync, statSync } from 'node:fs'
import type { DirectoryRecord } from '../../src/contract/shell-record.ts'
import { FarError } from '../service/far-error.ts'
import { systemCode } from '../service/system-code.ts'
import { createExclude } from './exclude.ts'
import { HostTree } from './tree.ts'
import type { HostEntry, Skipped } from './types.ts'

/** How much of a host directory a session may begin with. */
export interface TakeInBounds {
  /** Files, directories and links. */
  readonly maxFiles: number
  /** Bytes of all files together. */
  readonly maxBytes: number
  /** Bytes of one file: larger ones are left out. 0: no limit. */
  readonly maxFileSize: number
  /** The limits of the config that these are; undefined where it has none. */
  readonly names: { readonly maxFiles: string | undefined; readonly maxBytes: string }
}

/** What a host directory holds, ready to be read. */
export interface TakenIn {
  /** Where it goes: absolute, in the sandbox. */
  readonly path: string
  /** By relative path, parents first, without the root. */
  readonly entries: ReadonlyMap<string, HostEntry>
  /** What is left out. Paths are relative. */
  readonly skipped: Skipped[]
  /** The bytes of a file; undefined where it changes or cannot be read, which is noted among the skipped. */
  read(rel: string): Uint8Array | undefined
}

/**
 * Looks at a host directory that a session begins with. No link is followed.
 *
 * @param places - destinations of binds: what is there on the host is left out.
 * @throws FarError `INVALID_CONFIG` or `LIMIT_EXCEEDED` where there is no such directory, or it holds too much
 */
export function takeIn(
  { path, source, exclude = [] }: DirectoryRecord,
  places: readonly string[],
  bounds: TakeInBounds,
): TakenIn {
  const inner = places.flatMap((place) =>
    place.startsWith(`${path}/`) ? [place.slice(path.length + 1)] : [],
  )
  const isExcluded = createExclude(exclude, inner)
  const tree = new HostTree(realDirectory(path, source), { isExcluded, maxFileSize: bounds.maxFileSize })
  const { entries, skipped } = tree.scan(bounds.maxFiles + 1)
  entries.delete('')
  checkBounds(path, source, entries, bounds)
  return {
    path,
    entries,
    skipped,
    read: (rel) => {
      const file = tree.read(rel)
      if (typeof file !== 'string') return file.bytes
      skipped.push({ path: rel, reason: file === 'unreadable' ? file : 'changes while it is read' })
      return undefined
    },
  }
}

/** What is left out of directories, as `describe()` tells it. */
export function skippedOf(
  taken: readonly TakenIn[],
): { readonly bind: string; readonly path: string; readonly reason: string }[] {
  return taken.flatMap(({ path, skipped }) =>
    skipped.map((each) => ({ bind: path, path: `${path}/${each.path}`, reason: each.reason })),
  )
}

function realDirectory(path: string, source: string): string {
  try {
    const real = realpathSync(source)
    if (statSync(real).isDirectory()) return real
  } catch (error) {
    const reason = systemCode(error) ?? String(error)
    throw notThere(path, source, reason)
  }
  throw notThere(path, source, 'it is no directory')
}

function notThere(path: string, source: string, reason: string): FarError {
  const field = `files[${JSON.stringify(path)}].directory`
  return new FarError({
    code: 'INVALID_CONFIG',
    field,
    message: `${field}: expected an existing directory of the host, got '${source}' (${reason}). Create it first or correct the path.`,
  })
}

function checkBounds(
  path: string,
  source: string,
  entries: ReadonlyMap<string, HostEntry>,
  { maxFiles, maxBytes, names }: TakeInBounds,
): void {
  let bytes = 0
  for (const { size } of entries.values()) bytes += size
  if (entries.size > maxFiles) throw over(names.maxFiles, maxFiles, 'files, directories and links')
  if (bytes > maxBytes) throw over(names.maxBytes, maxBytes, 'bytes')

  function over(name: string | undefined, value: number, unit: string): FarError {
    const field = `files[${JSON.stringify(path)}]`
    const found = `${field}: the host directory '${source}' holds more than ${value} ${unit}`
    const advice = "Exclude what is not needed (exclude: ['node_modules/', '.git/'])"
    if (name === undefined) {
      return new FarError({
        code: 'INVALID_CONFIG',
        field,
        message: `${found}. ${advice}, or name something narrower.`,
      })
    }
    return new FarError({
      code: 'LIMIT_EXCEEDED',
      limit: { name, value },
      message: `${found} (${name}). ${advice}, name something narrower, or raise the limit.`,
    })
  }
}
