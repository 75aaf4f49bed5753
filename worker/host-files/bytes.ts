import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { systemCode } from '../service/system-code.ts'
import { realPathOf, samePath } from './descriptors.ts'
import { isAbsence, isExhaustion } from './errors.ts'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants
/** How often a file is read that changes during the read. */
const READ_TRIES = 4
const BIGINT = { bigint: true } as const

/** The bytes of a file, and its state, which was the same before and after the read. */
export interface Settled {
  readonly bytes: Uint8Array
  readonly stats: BigIntStats
}

/**
 * Reads a whole regular file, and reads it again if it changes meanwhile. Does not wait for the other end of a FIFO, and
 * does not follow a link at the path.
 *
 * @param real the path that the kernel must report for the opened file. Not checked if absent.
 * @param maxSize bytes; a larger file is `'changed'`. 0: no limit.
 * @returns `'changed'` if there is no such file now, or it changes at every try.
 * @throws the system's error if this process ran out of descriptors or memory.
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
    if (real !== undefined && !samePath(realPathOf(descriptor, path), real)) return undefined
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

/** `size` bytes from the start; `undefined` if the file is shorter. The buffer is not pooled, so it can be transferred. */
function readAll(descriptor: number, size: number): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let offset = 0; offset < size; ) {
    const count = readSync(descriptor, bytes, offset, size - offset, offset)
    if (count === 0) return undefined
    offset += count
  }
  return bytes
}

/** Writes all bytes, with as many writes as the system needs. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) {
    offset += writeSync(descriptor, bytes, offset, bytes.length - offset)
  }
}
