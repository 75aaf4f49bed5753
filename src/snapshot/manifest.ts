import { matches } from '../sandbox/schema-parts.ts'
import {
  type BindEntry,
  type FileEntry,
  headSchema,
  type Manifest,
  manifestSchema,
  VERSIONS,
} from './manifest-schema.ts'
import { checkPaths } from './paths.ts'
import { refuseSnapshot } from './refuse.ts'

/** A manifest as JSON. Halves of surrogate pairs, which stand for bytes that are no UTF-8, are escaped in it. */
export function writeManifest(manifest: Manifest): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(manifest))
}

/**
 * Reads a manifest that nobody has to trust.
 *
 * @throws SnapshotError where it is none, or passes a bound
 */
export function readManifest(bytes: Uint8Array, maxFiles: number): Manifest {
  const parsed = parse(bytes)
  if (!matches(headSchema, parsed)) throw refuseSnapshot('malformed', 'has a manifest of another kind.')
  if (parsed.version !== VERSIONS.plain && parsed.version !== VERSIONS.withBinds)
    throw refuseSnapshot(
      'version',
      `is of version ${parsed.version} of the format, and this package reads versions ${VERSIONS.plain} and ${VERSIONS.withBinds}.`,
    )
  if (!matches(manifestSchema, parsed)) throw refuseSnapshot('malformed', 'has a manifest of another shape.')
  const { format, version, engine, createdAt, omitted, files, state, binds } = parsed
  if ((version === VERSIONS.withBinds) !== (binds !== undefined))
    throw refuseSnapshot('malformed', 'has a manifest of another version than it says.')
  if (files.length + (binds?.length ?? 0) > maxFiles)
    throw refuseSnapshot('too-large', `has more than ${maxFiles} files (limits.maxFiles).`)
  const declared = files.map(declaredOf)
  checkPaths(declared)
  const named = [...state, ...(binds ?? [])]
  if (new Set(named.map(({ key }) => key)).size < named.length)
    throw refuseSnapshot('malformed', 'says something of one name twice.')
  return {
    format,
    version,
    engine: { name: engine.name, form: engine.form },
    createdAt,
    omitted: omitted.map(({ kind, name }) => ({ kind, name })),
    files: declared,
    state: state.map(({ key, value }) => ({ key, value })),
    ...(binds === undefined ? {} : { binds: binds.map(declaredBind) }),
  }
}

/** The digests of the bytes that a manifest names. */
export function digestsOf({ files, binds = [] }: Pick<Manifest, 'files' | 'binds'>): ReadonlySet<string> {
  return new Set([
    ...files.flatMap((file: FileEntry) => (file.type === 'file' ? [file.content] : [])),
    ...binds.flatMap(({ content }) => (content === undefined ? [] : [content])),
  ])
}

function declaredBind({ key, value, content }: BindEntry): BindEntry {
  return content === undefined ? { key, value } : { key, value, content }
}

/** A path with the fields of its type and no others. */
function declaredOf(file: FileEntry): FileEntry {
  const { path, type } = file
  if (type === 'gone') return { path, type }
  const { mode, modified } = file
  if (type === 'directory') return { path, type, mode, modified }
  return type === 'file'
    ? { path, type, mode, modified, content: file.content }
    : { path, type, mode, modified, target: file.target }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw refuseSnapshot('malformed', 'has a manifest that is no JSON.', error)
  }
}
