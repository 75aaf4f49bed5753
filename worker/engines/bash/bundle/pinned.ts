import { createHash } from 'node:crypto'

/** The SHA-256 of `dist/bundle/index.js` of just-bash 3.4.2. */
const DIGEST = '70dd1320d921b736e965b1545e50ab57af2b2807a26de7fa624d4f519a953b7c'

/** @throws {TypeError} where this is not the text that the mends are for */
export function assertPinned(source: string): void {
  if (createHash('sha256').update(source).digest('hex') === DIGEST) return
  throw new TypeError("The file of just-bash is not that of version 3.4.2: install 'just-bash@3.4.2' again.")
}
