import { matches } from '../sandbox/schema-parts.ts'
import { type FileEntry, headSchema, type Manifest, manifestSchema, VERSION } from './manifest-schema.ts'
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
  if (parsed.version !== VERSION)
    throw refuseSnapshot(
      'version',
      `is of version ${parsed.version} of the format, and this package reads version ${VERSION}.`,
    )
  if (!matches(manifestSchema, parsed)) throw refuseSnapshot('malformed', 'has a manifest of another shape.')
  const { format, version, engine, createdAt, omitted, files, state } = parsed
  if (files.length > maxFiles)
    throw refuseSnapshot('too-large', `has more than ${maxFiles} files (limits.maxFiles).`)
  const declared = files.map(declaredOf)
  checkPaths(declared)
  if (new Set(state.map(({ key }) => key)).size < state.length)
    throw refuseSnapshot('malformed', 'says something of one name twice.')
  return {
    format,
    version,
    engine: { name: engine.name, form: engine.form },
    createdAt,
    omitted: omitted.map(({ kind, name }) => ({ kind, name })),
    files: declared,
    state: state.map(({ key, value }) => ({ key, value })),
  }
}

/** The digests of the bytes that the files of a manifest have. */
export function digestsOf({ files }: Pick<Manifest, 'files'>): ReadonlySet<string> {
  return new Set(files.flatMap((file: FileEntry) => (file.type === 'file' ? [file.content] : [])))
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
