import { type CheckpointFacts, FILE_KEY } from '../contract/checkpoint.ts'
import { reading, refuse } from '../sandbox/arguments.ts'
import { UnsupportedError } from '../sandbox/errors.ts'
import { kindOf, quote } from '../sandbox/show-value.ts'
import { placesOf } from '../session/places-of-facts.ts'
import type { Session } from '../session/session.ts'
import type { HeldConfig } from '../session/session-config.ts'
import type { CheckpointTaken, SnapshotForm } from '../session/stored-session.ts'
import type { SnapshotContent } from '../snapshot/content.ts'
import { refuseSnapshot } from '../snapshot/refuse.ts'
import { contentOf, Snapshot, snapshotOf } from '../snapshot/snapshot.ts'

/** Takes a snapshot of a session. */
export async function takeSnapshot(session: Session, config: HeldConfig): Promise<Snapshot> {
  return write(config, await session.checkpoint())
}

/** How the sessions of a config become snapshots. */
export function snapshotFormOf(config: HeldConfig): SnapshotForm {
  return {
    write: (taken) => write(config, taken),
    read: (snapshot) => {
      requireCredentials(config, snapshot)
      return factsFor(config, snapshot)
    },
  }
}

function write({ engine, record }: HeldConfig, { facts, omitted: told }: CheckpointTaken): Snapshot {
  const { name, checkpointForm: form } = engine
  const credentials = record.credentials.map(({ url }) => ({ kind: 'credential', name: url }) as const)
  const omitted = [...told.filter(({ kind }) => kind !== 'credential'), ...credentials]
  return snapshotOf({ engine: name, form, createdAt: new Date(), omitted, facts })
}

/** @throws {SandboxConfigError} where the stored session had a credential for an address, and the config has none for it */
function requireCredentials({ record }: HeldConfig, { omitted }: Snapshot): void {
  const given = new Set(record.credentials.map(({ url }) => url))
  const missing = omitted.find(({ kind, name }) => kind === 'credential' && !given.has(name))
  if (missing === undefined) return
  throw refuse(
    'credentials',
    `must have one for ${quote(missing.name)}, as the stored session had. Give it, or open another sandbox with what store.get() has of the session as its snapshot.`,
  )
}

/**
 * What a session of this config has that begins with a snapshot.
 *
 * @throws {SandboxConfigError} for what is no snapshot
 * @throws {UnsupportedError} for one of another shell
 * @throws {SnapshotError} for one of another version
 */
export function factsFor(config: HeldConfig, snapshot: unknown): CheckpointFacts {
  const content = requireContent(snapshot)
  const wanted = config.engine.checkpointForm
  const { engine, form, facts } = content
  if (engine !== config.engine.name)
    throw new UnsupportedError(
      `The snapshot is of the ${engine} shell, and this sandbox has the ${config.engine.name} shell. Open it in a sandbox of the ${engine} shell, or take its files alone with filesOnly: true.`,
    )
  if (form === wanted) return facts
  throw refuseSnapshot(
    'version',
    `is of another version of the engine: ${quote(form)} instead of ${quote(wanted)}. Its files can be taken with filesOnly: true.`,
  )
}

function requireContent(snapshot: unknown): SnapshotContent {
  return reading('snapshot', () => {
    if (snapshot instanceof Snapshot) return contentOf(snapshot)
    throw refuse(
      'snapshot',
      `must be a Snapshot, but is ${kindOf(snapshot)}. Read bytes with Snapshot.from().`,
    )
  })
}

/**
 * A config whose sessions begin with the files of a snapshot, of whichever shell, in the place of its own.
 *
 * @throws {SandboxConfigError} for what is no snapshot
 * @throws {SnapshotError} where there is more than a session may have
 */
export function withFilesOf(config: HeldConfig, snapshot: unknown): HeldConfig {
  const { facts } = requireContent(snapshot)
  const entries = facts.entries.filter(({ key }) => key.startsWith(FILE_KEY))
  const contents = [...facts.contents].map(([id, bytes]) => ({ id, bytes }))
  const { files: _files, directories: _directories, ...record } = config.record
  const size = contents.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  if (size > (config.checkpoint?.maxBytes ?? Number.POSITIVE_INFINITY))
    throw refuseSnapshot('too-large', 'has more files than this sandbox may have (limits.maxFileSystem).')
  const tree = { entries, contents }
  if (record.engine !== 'strands') return { ...config, record: { ...record, tree } }
  const { files, writable } = placesOf(entries)
  const places = [...new Set([...writable, ...(record.writable ?? [])])]
  return { ...config, record: { ...record, tree, files, writable: places } }
}
