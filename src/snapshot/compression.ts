import { promisify } from 'node:util'
import type { ZlibOptions } from 'node:zlib'
import { errorCode } from '../sandbox/error-code.ts'
import { refuseSnapshot } from './refuse.ts'

/** Packs bytes with gzip, in a thread of the pool of Node. */
export function compressed(bytes: Uint8Array): Promise<Uint8Array> {
  const { gzip } = process.getBuiltinModule('node:zlib')
  return promisify<Uint8Array, ZlibOptions, Buffer>(gzip)(bytes, {})
}

/** Bytes that are packed, or as they are. @throws SnapshotError where they hold more than `most`, or are cut */
export async function uncompressed(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return within(bytes, most)
  const { gunzip } = process.getBuiltinModule('node:zlib')
  try {
    return within(
      await promisify<Uint8Array, ZlibOptions, Buffer>(gunzip)(bytes, { maxOutputLength: most }),
      most,
    )
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(most)
    throw refuseSnapshot('malformed', 'cannot be unpacked: it is cut or damaged.', error)
  }
}

function within(bytes: Uint8Array, most: number): Uint8Array {
  if (bytes.length > most) throw tooLarge(most)
  return bytes
}

function tooLarge(most: number): Error {
  return refuseSnapshot('too-large', `holds more than ${most} bytes (limits.maxUnpackedBytes).`)
}
