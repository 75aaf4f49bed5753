import type { BindRecord, StartRecord } from '../contract/shell-record.ts'
import { refuse } from '../sandbox/arguments.ts'
import { fieldPath } from '../sandbox/field-path.ts'
import { isWithin } from '../sandbox/is-within.ts'
import type { ResolvedFiles } from './resolve-files.ts'

/** How sessions begin, as a config says it; paths are normalized. */
interface StartFields {
  readonly cwd?: string | undefined
  readonly init?: string | undefined
  readonly writable?: readonly string[] | undefined
}

/** What a config does not say. */
interface StartDefaults {
  readonly cwd?: string
  readonly writable: readonly string[]
}

/**
 * Completes how a session begins.
 *
 * @throws SandboxConfigError naming a file that lies in a bind, or a writable directory in a bind that is not.
 */
export function resolveStart(
  { cwd, init, writable }: StartFields,
  { files, directories }: ResolvedFiles,
  binds: readonly BindRecord[],
  defaults: StartDefaults,
): StartRecord {
  for (const path of [...directories.map(({ path }) => path), ...files.map(([path]) => path)]) {
    refuseBound(path, binds)
  }
  for (const [index, path] of (writable ?? []).entries()) requireWritable(path, index, binds)
  const places = writable ?? defaults.writable.filter((path) => bindOf(path, binds) === undefined)
  const directory = cwd ?? defaults.cwd
  for (const file of files) Object.freeze(file)
  for (const each of directories) Object.freeze(each)
  return {
    ...(files.length === 0 ? {} : { files: Object.freeze(files) }),
    ...(directories.length === 0 ? {} : { directories: Object.freeze(directories) }),
    ...(places.length === 0 ? {} : { writable: Object.freeze(places) }),
    ...(directory === undefined ? {} : { cwd: directory }),
    ...(init === undefined ? {} : { init }),
  }
}

/** A file in a bind would be written to the host. */
function refuseBound(path: string, binds: readonly BindRecord[]): void {
  const index = bindOf(path, binds)
  if (index === undefined) return
  throw refuse(
    fieldPath(['files', path]),
    `must be outside of every bind, but lies in binds[${index}]. Put it in the bound directory, or write it after open.`,
  )
}

function requireWritable(path: string, index: number, binds: readonly BindRecord[]): void {
  const at = bindOf(path, binds)
  if (at === undefined || binds[at]?.readonly !== true) return
  throw refuse(
    `writable[${index}]`,
    `must be a directory that can be written, but lies in binds[${at}], which is read-only. Bind it without readonly.`,
  )
}

/** The index of the innermost bind that a path lies in. */
function bindOf(path: string, binds: readonly BindRecord[]): number | undefined {
  let found: number | undefined
  for (const [index, { destination }] of binds.entries()) {
    if (!isWithin(destination, path)) continue
    if (found === undefined || destination.length > (binds[found]?.destination.length ?? 0)) found = index
  }
  return found
}
