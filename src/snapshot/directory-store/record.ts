import type { ResolvedLimits } from '../limits.ts'
import { readManifest, writeManifest } from '../manifest.ts'
import type { Manifest } from '../manifest-schema.ts'
import { refuseSnapshot } from '../refuse.ts'
import { hmacOf, isSameHmac } from '../signature.ts'
import { Turns } from '../turns.ts'
import type { Contents } from './contents.ts'
import { readSmall, writeSmall } from './small-contents.ts'

/** What a record is of. */
export interface RecordName {
  readonly id: string
  readonly fence: number
}

type RecordLimits = Pick<ResolvedLimits, 'maxFiles' | 'maxManifestBytes'>

const NEWLINE = 0x0a

/** What a record holds. */
export interface Recorded {
  readonly manifest: Manifest
  /** The contents that it has itself. */
  readonly small: Contents
}

/** A record: a line with its HMAC, or an empty one, the manifest, and small contents. */
export async function writeRecord(
  { manifest, small }: Recorded,
  name: RecordName,
  key: Buffer | undefined,
): Promise<Uint8Array[]> {
  const bytes = writeManifest(manifest)
  const hmac = key === undefined ? '' : await signatureOf(bytes, name, key)
  return [Buffer.from(`${hmac}\n`), bytes, ...writeSmall(small)]
}

/** @throws SnapshotError where the record is altered, unsigned where there is a key, or is none */
export async function readRecord(
  record: Uint8Array,
  name: RecordName,
  { key, limits }: { readonly key: Buffer | undefined; readonly limits: RecordLimits },
): Promise<Recorded> {
  const end = record.indexOf(NEWLINE)
  if (end < 0) throw refuseSnapshot('malformed', 'has a record that is cut.')
  const hmac = Buffer.from(record.subarray(0, end)).toString('latin1')
  // A manifest is one line.
  const next = record.indexOf(NEWLINE, end + 1)
  const bytes = record.subarray(end + 1, next < 0 ? undefined : next)
  if (key === undefined && hmac !== '')
    throw refuseSnapshot('signature', 'is signed. Give the store its `key`.')
  if (key !== undefined && !isSameHmac(hmac, await signatureOf(bytes, name, key)))
    throw refuseSnapshot('signature', 'is altered, or was stored with another key or none.')
  if (bytes.length > limits.maxManifestBytes)
    throw refuseSnapshot(
      'too-large',
      `has a manifest of more than ${limits.maxManifestBytes} bytes (limits.maxManifestBytes).`,
    )
  const manifest = readManifest(bytes, limits.maxFiles)
  return { manifest, small: next < 0 ? new Map() : await readSmall(record.subarray(next + 1), new Turns()) }
}

/** Of another id or fence it is another one: records cannot be exchanged. The digests in a manifest stand for the bytes. */
function signatureOf(manifest: Uint8Array, { id, fence }: RecordName, key: Buffer): Promise<string> {
  const head = Buffer.from(JSON.stringify([id, fence]))
  return hmacOf(Buffer.concat([head, Buffer.from('\n'), manifest]), key, new Turns())
}
