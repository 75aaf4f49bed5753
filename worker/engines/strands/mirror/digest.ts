import { createHash } from 'node:crypto'

/** Stands for bytes that are to be compared later. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64')
}
