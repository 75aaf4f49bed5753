import { createHmac, timingSafeEqual } from 'node:crypto'
import { types } from 'node:util'
import { refuse } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { refuseSnapshot } from './refuse.ts'
import type { Turns } from './turns.ts'

/** A secret that snapshots are signed with: text or bytes, of 16 bytes at least. */
export type SnapshotKey = string | Uint8Array

const LEAST_KEY = 16
const LABEL = 'hmac-sha256:'
const HEX = 64

/** The start of a gzip member with a comment, and the rest of one that holds nothing: both gunzip and tar pass over it. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff, ...Buffer.from(LABEL)])
const TAIL = Buffer.from([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
const LENGTH = HEAD.length + HEX + TAIL.length

/** A copy of a key, as bytes. @throws SandboxConfigError with the field `key`; it never shows the key */
export function requireKey(key: unknown): Buffer | undefined {
  if (key === undefined) return undefined
  if (typeof key !== 'string' && !types.isUint8Array(key))
    throw refuse('key', `must be a string or bytes, but is ${kindOf(key)}.`)
  const bytes = typeof key === 'string' ? Buffer.from(key) : Buffer.from(key)
  if (bytes.length >= LEAST_KEY) return bytes
  throw refuse('key', `must have at least ${LEAST_KEY} bytes, but has ${bytes.length}.`)
}

/** HMAC-SHA-256, in hexadecimal. */
export async function hmacOf(bytes: Uint8Array, key: Buffer, turns: Turns): Promise<string> {
  const hmac = createHmac('sha256', key)
  await turns.over(bytes, (part) => hmac.update(part))
  return hmac.digest('hex')
}

/** Compares two of them in a time that tells nothing. */
export function isSameHmac(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** The bytes with their HMAC at the end. */
export async function sign(bytes: Uint8Array, key: Buffer, turns: Turns): Promise<Uint8Array> {
  return Buffer.concat([bytes, HEAD, Buffer.from(await hmacOf(bytes, key, turns)), TAIL])
}

/**
 * The bytes without their HMAC.
 *
 * @throws SnapshotError where they are altered, were signed with another key, are not signed and a key is given, or are
 *   signed and none is given
 */
export async function verified(
  bytes: Uint8Array,
  key: Buffer | undefined,
  turns: Turns,
): Promise<Uint8Array> {
  const body = bytes.subarray(0, Math.max(0, bytes.length - LENGTH))
  const hmac = hmacAt(bytes.subarray(body.length))
  if (key === undefined) {
    if (hmac === undefined) return bytes
    throw refuseSnapshot('signature', 'is signed. Pass its `key`.')
  }
  if (hmac === undefined) {
    throw refuseSnapshot('signature', 'is not signed, and a `key` is given. It may be altered.')
  }
  if (isSameHmac(hmac, await hmacOf(body, key, turns))) return body
  throw refuseSnapshot('signature', 'is altered, or was signed with another key.')
}

function hmacAt(trailer: Uint8Array): string | undefined {
  const hasHead = HEAD.equals(trailer.subarray(0, HEAD.length))
  const hasTail = TAIL.equals(trailer.subarray(HEAD.length + HEX))
  return hasHead && hasTail
    ? Buffer.from(trailer.subarray(HEAD.length, -TAIL.length)).toString('latin1')
    : undefined
}
