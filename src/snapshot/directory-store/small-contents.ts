import { digestOf, isDigest } from '../digest.ts'
import { refuseSnapshot } from '../refuse.ts'
import type { Turns } from '../turns.ts'
import type { Contents } from './contents.ts'

/** Bytes of the contents that one record may have. */
export const MOST_IN_RECORD = 256 * 1024

/** Contents by where they are kept. */
export interface PlacedContents {
  /** In the record of their snapshot. */
  readonly small: Contents
  /** In files of their own, which snapshots share. */
  readonly large: Contents
}

/** Places each content. @param most - bytes that one in the record may have. */
export function placeContents(contents: Contents, most: number): PlacedContents {
  const small = new Map<string, Uint8Array<ArrayBuffer>>()
  const large = new Map<string, Uint8Array<ArrayBuffer>>()
  let left = MOST_IN_RECORD
  for (const [digest, bytes] of contents) {
    const isSmall = bytes.length <= Math.min(most, left)
    if (isSmall) left -= bytes.length
    const place = isSmall ? small : large
    place.set(digest, bytes)
  }
  return { small, large }
}

/** Small contents as they follow a manifest: a line with the digest and the size of each, and their bytes. */
export function writeSmall(small: Contents): Uint8Array[] {
  if (small.size === 0) return []
  const index = [...small].map(([digest, { length }]) => [digest, length])
  return [Buffer.from(`\n${JSON.stringify(index)}\n`), ...small.values()]
}

/**
 * Reads what {@link writeSmall} gave, without the line break before it.
 *
 * @throws SnapshotError where it is cut, or has other bytes than those of the digests
 */
export async function readSmall(bytes: Uint8Array, turns: Turns): Promise<Contents> {
  const end = bytes.indexOf(0x0a)
  const sizes = end < 0 ? undefined : sizesOf(Buffer.from(bytes.subarray(0, end)).toString())
  if (sizes === undefined) throw malformed()
  const small = new Map<string, Uint8Array<ArrayBuffer>>()
  let at = end + 1
  for (const [digest, size] of sizes) {
    const content = new Uint8Array(bytes.subarray(at, at + size))
    at += size
    if (content.length !== size || (await digestOf(content, turns)) !== digest) throw malformed()
    small.set(digest, content)
  }
  if (at !== bytes.length) throw malformed()
  return small
}

function sizesOf(text: string): readonly (readonly [digest: string, size: number])[] | undefined {
  let index: unknown
  try {
    index = JSON.parse(text)
  } catch {
    return undefined // The caller says what is wrong.
  }
  return Array.isArray(index) && index.every(isSize) ? index : undefined
}

function isSize(value: unknown): value is readonly [digest: string, size: number] {
  if (!Array.isArray(value)) return false
  const [digest, size]: unknown[] = value
  return typeof digest === 'string' && isDigest(digest) && Number.isSafeInteger(size) && Number(size) >= 0
}

function malformed(): Error {
  return refuseSnapshot('malformed', 'has a record whose contents are cut or altered.')
}
