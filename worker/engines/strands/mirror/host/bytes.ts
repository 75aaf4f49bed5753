import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  writeSync,
} from 'node:fs'
import { isAbsence, isExhaustion, systemCode } from './errors.ts'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants
/** How often a file that changes under the read is read again. */
const READ_TRIES = 4
const BIGINT = { bigint: true } as const

/** A file read whole, and what it was before and after. */
export interface Settled {
  readonly bytes: Uint8Array
  readonly stats: BigIntStats
}

/**
 * Reads a regular file whole, again when it changes meanwhile. Never waits for a FIFO's other end, never follows a
 * link in the last place.
 *
 * @param real where the opened file has to be by the kernel's own account; not checked when absent.
 * @param maxSize bytes; a larger file is `'changed'`. 0: no limit.
 * @returns `'changed'` when there is no such file there now or it does not hold still.
 * @throws the system's error when this process ran out of descriptors or memory.
 */
export function readSettled(path: string, real?: string, maxSize = 0): Settled | 'changed' | 'unreadable' {
  for (let tries = 0; tries < READ_TRIES; tries++) {
    try {
      const settled = readOnce(path, real, maxSize)
      if (settled !== undefined) return settled
    } catch (error) {
      if (isExhaustion(error)) throw error
      // ENXIO: a socket, or a FIFO's missing end.
      return isAbsence(error) || systemCode(error) === 'ENXIO' ? 'changed' : 'unreadable'
    }
  }
  return 'changed'
}

function readOnce(path: string, real: string | undefined, maxSize: number): Settled | undefined {
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  try {
    if (real !== undefined && readlinkSync(`/proc/self/fd/${descriptor}`) !== real) return undefined
    const before = fstatSync(descriptor, BIGINT)
    if (!before.isFile() || (maxSize !== 0 && before.size > BigInt(maxSize))) return undefined
    const bytes = readAll(descriptor, Number(before.size))
    const stats = fstatSync(descriptor, BIGINT)
    const still =
      bytes !== undefined &&
      stats.size === before.size &&
      stats.mtimeNs === before.mtimeNs &&
      stats.ctimeNs === before.ctimeNs
    return still ? { bytes, stats } : undefined
  } finally {
    closeSync(descriptor)
  }
}

/** `size` bytes from the start; `undefined` when the file ends before. Memory of their own: they may be transferred. */
function readAll(descriptor: number, size: number): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let offset = 0; offset < size; ) {
    const count = readSync(descriptor, bytes, offset, size - offset, offset)
    if (count === 0) return undefined
    offset += count
  }
  return bytes
}

/** Writes all bytes, in as many pieces as the system takes. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) {
    offset += writeSync(descriptor, bytes, offset, bytes.length - offset)
  }
}
