import type { CheckpointFacts, OmittedPart } from '../contract/checkpoint.ts'
import type { EngineName } from '../contract/lease.ts'
import { nameFacts, numberFacts } from './facts.ts'
import { digestsOf } from './manifest.ts'
import { FORMAT, type Manifest, VERSIONS } from './manifest-schema.ts'
import { checkPaths } from './paths.ts'
import { refuseSnapshot } from './refuse.ts'
import { Turns } from './turns.ts'

/** What a snapshot is made of. */
export interface SnapshotContent {
  readonly engine: EngineName
  /** In which form the engine has written the facts that are not of files. */
  readonly form: string
  readonly createdAt: Date
  readonly omitted: readonly OmittedPart[]
  readonly facts: CheckpointFacts
}

/** The same with bytes by digest, as it is stored. */
export interface NamedContent {
  readonly manifest: Manifest
  readonly contents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

/** @throws SnapshotError for a path that no snapshot can have */
export async function nameContent(content: SnapshotContent): Promise<NamedContent> {
  const { engine, form, createdAt, omitted, facts } = content
  const { files, state, binds, contents } = await nameFacts(facts, new Turns())
  checkPaths(files)
  const manifest = {
    format: FORMAT,
    version: binds === undefined ? VERSIONS.plain : VERSIONS.withBinds,
    engine: { name: engine, form },
    createdAt: createdAt.toISOString(),
    omitted,
    files,
    state,
    ...(binds === undefined ? {} : { binds }),
  } as const
  return { manifest, contents }
}

/** @throws SnapshotError where the contents are not those that the manifest names */
export function numberContent({ manifest, contents }: NamedContent): SnapshotContent {
  const { engine, createdAt, omitted, files, state, binds } = manifest
  const digests = digestsOf(manifest)
  for (const digest of digests)
    if (!contents.has(digest)) throw refuseSnapshot('malformed', `does not have the content ${digest}.`)
  for (const digest of contents.keys())
    if (!digests.has(digest))
      throw refuseSnapshot('malformed', `has the content ${digest}, which is of no file.`)
  return {
    engine: engine.name,
    form: engine.form,
    createdAt: new Date(createdAt),
    omitted,
    facts: numberFacts({ files, state, ...(binds === undefined ? {} : { binds }), contents }),
  }
}
