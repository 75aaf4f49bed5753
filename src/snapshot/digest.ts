import { createHash } from 'node:crypto'
import type { Turns } from './turns.ts'

/** Nobody writes to the bytes of a checkpoint, and many snapshots of a session have the same. */
const known = new WeakMap<Uint8Array, string>()

/** SHA-256 of bytes that nobody writes to, in hexadecimal. */
export async function digestOf(bytes: Uint8Array, turns: Turns): Promise<string> {
  const before = known.get(bytes)
  if (before !== undefined) return before
  const hash = createHash('sha256')
  await turns.over(bytes, (part) => hash.update(part))
  const digest = hash.digest('hex')
  known.set(bytes, digest)
  return digest
}

/** True for a name that {@link digestOf} could have given. */
export function isDigest(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name)
}
