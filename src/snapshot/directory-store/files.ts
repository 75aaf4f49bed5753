import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../sandbox/error-code.ts'
import { refuseSnapshot } from '../refuse.ts'

/** How many files are worked on at a time. */
const WIDTH = 16

/** What `act` gives, or `otherwise` where there is no such file. */
export async function orMissing<T, Other>(act: Promise<T>, otherwise: Other): Promise<T | Other> {
  try {
    return await act
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return otherwise
    throw error
  }
}

/** Does something with each item, some of them at a time, until one fails. Nothing is under way when this settles. */
export async function eachOf<T>(items: Iterable<T>, act: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]()
  const failures: unknown[] = []
  const work = async () => {
    for (let next = left.next(); next.done !== true && failures.length === 0; next = left.next()) {
      try {
        await act(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: WIDTH }, work))
  if (failures.length > 0) throw failures[0]
}

/** Makes a directory that its user alone can read, and those that lead to it. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}

/** The names in a directory; none where it is missing. */
export async function namesIn(path: string): Promise<readonly string[]> {
  return orMissing(readdir(path), [])
}

/** The bytes of a file; undefined where it is missing. @throws SnapshotError where it has more than `most` */
export async function readBytes(path: string, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = await orMissing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW), undefined)
  if (file === undefined) return undefined
  try {
    const { size } = await file.stat()
    if (size > most) throw refuseSnapshot('too-large', `has more than ${most} bytes in ${path}.`)
    const bytes = new Uint8Array(size)
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(bytes, at, size - at, at)
      if (bytesRead === 0) return bytes.slice(0, at)
      at += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

/** Writes a whole file in `folder`, on the medium when this resolves. @returns its path */
async function writeTemporary(folder: string, parts: readonly Uint8Array[]): Promise<string> {
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx', 0o600)
  try {
    for (const part of parts) await file.writeFile(part)
    await file.sync()
  } finally {
    await file.close()
  }
  return path
}

/** Puts a whole file to a path at once, in the place of one that is there. */
export async function putFile(temporary: string, path: string, parts: readonly Uint8Array[]): Promise<void> {
  await rename(await writeTemporary(temporary, parts), path)
}

/** Puts a whole file to a path at once. False: there is one. */
export async function addFile(
  temporary: string,
  path: string,
  parts: readonly Uint8Array[],
): Promise<boolean> {
  const written = await writeTemporary(temporary, parts)
  try {
    await link(written, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(written, { force: true })
  }
}

/** Has what was put into a directory stay there when the machine ends. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Marks a file as used now. False: there is none of this size. */
export async function touch(path: string, size: number): Promise<boolean> {
  const found = await orMissing(stat(path), undefined)
  if (found?.size !== size) return false
  const now = new Date()
  return orMissing(
    utimes(path, now, now).then(() => true),
    false,
  )
}
