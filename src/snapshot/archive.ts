import { createHash } from 'node:crypto'
import { SnapshotError } from '../sandbox/errors.ts'
import { isOwnBytes } from '../sandbox/kinds.ts'
import { quote } from '../sandbox/show-value.ts'
import { isDigest } from './digest.ts'
import type { ResolvedLimits } from './limits.ts'
import { refuseSnapshot } from './refuse.ts'
import type { Turns } from './turns.ts'

const MANIFEST = 'manifest.json'
const CONTENTS = 'contents/'

/** What a tar of a snapshot holds. */
export interface Archive {
  readonly manifest: Uint8Array
  /** Bytes by their digest. */
  readonly contents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

/** The tar: the manifest first, and then each content under the name of its digest. @param modified - the time of all entries. */
export async function packArchive({ manifest, contents }: Archive, modified: Date): Promise<Uint8Array> {
  const { packTar } = await import('modern-tar')
  const entry = (name: string, body: Uint8Array) => ({
    header: { name, size: body.length, mode: 0o644, mtime: modified, type: 'file' as const },
    body,
  })
  const files = [...contents]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([digest, bytes]) => entry(CONTENTS + digest, bytes))
  return packTar([entry(MANIFEST, manifest), ...files])
}

/**
 * Reads a tar that nobody has to trust. Each content has the digest that it is named by.
 *
 * @throws SnapshotError where it is none of a snapshot, or passes a bound
 */
export async function unpackArchive(
  tar: Uint8Array,
  { maxManifestBytes, maxFiles }: Pick<ResolvedLimits, 'maxManifestBytes' | 'maxFiles'>,
  turns: Turns,
): Promise<Archive> {
  const entries = await untar(tar, ({ name, size, type }, at) => {
    if (at === 0 ? name !== MANIFEST : !name.startsWith(CONTENTS) || !isDigest(name.slice(CONTENTS.length)))
      throw refuseSnapshot(
        'malformed',
        `has ${quote(name)} where it has a ${at === 0 ? 'manifest' : 'content'}.`,
      )
    if (type !== 'file') throw refuseSnapshot('malformed', `has ${quote(name)}, which is no file.`)
    if (at === 0 && size > maxManifestBytes)
      throw refuseSnapshot(
        'too-large',
        `has a manifest of more than ${maxManifestBytes} bytes (limits.maxManifestBytes).`,
      )
    if (at > maxFiles) throw refuseSnapshot('too-large', `has more than ${maxFiles} files (limits.maxFiles).`)
  })
  const [first, ...others] = entries
  if (first === undefined) throw refuseSnapshot('malformed', 'is empty.')
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { name, bytes } of others) {
    const digest = name.slice(CONTENTS.length)
    if (contents.has(digest)) throw refuseSnapshot('malformed', `has the content ${digest} twice.`)
    const hash = createHash('sha256')
    await turns.over(bytes, (part) => hash.update(part))
    if (hash.digest('hex') !== digest)
      throw refuseSnapshot('malformed', `has other bytes than those of the content ${digest}.`)
    contents.set(digest, bytes)
  }
  return { manifest: first.bytes, contents }
}

interface Header {
  readonly name: string
  readonly size: number
  readonly type?: string
}

interface Entry {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** @param check - called with each header before its bytes are taken. */
async function untar(tar: Uint8Array, check: (header: Header, at: number) => void): Promise<Entry[]> {
  const { unpackTar } = await import('modern-tar')
  let at = 0
  const filter = (header: Header): boolean => {
    check(header, at)
    at += 1
    return true
  }
  try {
    const entries = await unpackTar(tar, { strict: true, filter })
    return entries.map(({ header: { name }, data }) => {
      if (!isOwnBytes(data)) throw refuseSnapshot('malformed', `has no bytes of ${quote(name)}.`)
      return { name, bytes: data }
    })
  } catch (error) {
    if (error instanceof SnapshotError) throw error
    throw refuseSnapshot('malformed', 'is no archive, or is cut.', error)
  }
}
