import { randomBytes } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { assertPrivate } from './cache-directory.ts'

/** The names of files in the cache begin so; those of files that are being written with a dot before it. */
export const PREFIX = 'strands-shell.'
/** And these end so. */
export const TEMPORARY = '.tmp'

/** A new name for a file that gets its own when it is whole. It tells the writer's process. */
export function temporaryName(): string {
  return `.${PREFIX}${process.pid}-${randomBytes(6).toString('hex')}${TEMPORARY}`
}

/** Opens a file that is not a symbolic link, for reading. */
export function openUnlinked(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
}

/** @throws Error where it is no regular file, belongs to another user or can be written by one. */
export function assertOwnFile(stat: BigIntStats): void {
  if (!stat.isFile()) throw new Error('is not a regular file')
  assertPrivate({ uid: Number(stat.uid), mode: Number(stat.mode) })
}
