import { readManifest, writeManifest } from '../manifest.ts'
import type { Manifest } from '../manifest-schema.ts'
import { refuseSnapshot } from '../refuse.ts'
import { hmacOf, isSameHmac } from '../signature.ts'
import { Turns } from '../turns.ts'

/** What a record is of. */
export interface RecordName {
  readonly id: string
  readonly fence: number
}

const NEWLINE = 0x0a

/** A record: a line with its HMAC, or an empty one, and the manifest. */
export async function writeRecord(
  manifest: Manifest,
  name: RecordName,
  key: Buffer | undefined,
): Promise<Uint8Array[]> {
  const bytes = writeManifest(manifest)
  const hmac = key === undefined ? '' : await signatureOf(bytes, name, key)
  return [Buffer.from(`${hmac}\n`), bytes]
}

/** @throws SnapshotError where the record is altered, unsigned where there is a key, or is none */
export async function readRecord(
  record: Uint8Array,
  name: RecordName,
  { key, maxFiles }: { readonly key: Buffer | undefined; readonly maxFiles: number },
): Promise<Manifest> {
  const end = record.indexOf(NEWLINE)
  if (end < 0) throw refuseSnapshot('malformed', 'has a record that is cut.')
  const hmac = Buffer.from(record.subarray(0, end)).toString('latin1')
  const bytes = record.subarray(end + 1)
  if (key === undefined && hmac !== '')
    throw refuseSnapshot('signature', 'is signed. Give the store its `key`.')
  if (key !== undefined && !isSameHmac(hmac, await signatureOf(bytes, name, key)))
    throw refuseSnapshot('signature', 'is altered, or was stored with another key or none.')
  return readManifest(bytes, maxFiles)
}

/** Of another id or fence it is another one: records cannot be exchanged. The digests in a manifest stand for the bytes. */
function signatureOf(manifest: Uint8Array, { id, fence }: RecordName, key: Buffer): Promise<string> {
  const head = Buffer.from(JSON.stringify([id, fence]))
  return hmacOf(Buffer.concat([head, Buffer.from('\n'), manifest]), key, new Turns())
}
