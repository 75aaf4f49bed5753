import { createHash } from 'node:crypto'

/** SHA-256 of bytes, to compare them later. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64')
}
