import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, opendir, realpath, rename, unlink } from 'node:fs/promises'
import { sep } from 'node:path'
import { DESCRIPTORS, hasDescriptorPaths } from '../../contract/descriptor-paths.ts'
import { errorCode } from '../error-code.ts'

/** Windows lacks some of the flags. */
const orNone = (flag: number | undefined) => flag ?? 0
const { O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants
const NOFOLLOW = orNone(constants.O_NOFOLLOW)
const DIRECTORY = orNone(constants.O_DIRECTORY)
/** Opening a pipe must not wait for its other end. */
const NO_WAIT = orNone(constants.O_NONBLOCK) | orNone(constants.O_NOCTTY)

/**
 * An open directory of the host. What is done in it concerns its own entries, whatever became of its path: no link is
 * followed. Where the system has no `/proc/self/fd`, it is used by its path, and another process that exchanges a directory
 * for a link at that moment can lead one operation elsewhere.
 *
 * Every method throws the system's error.
 */
export class HostDirectory {
  readonly #handle: FileHandle
  readonly #path: string

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle
    this.#path = path
  }

  /** Opens a directory of the caller: links that lead to it are followed. */
  static async open(path: string): Promise<HostDirectory> {
    return HostDirectory.#open(await realpath(path))
  }

  static async #open(path: string): Promise<HostDirectory> {
    const handle = await open(path, O_RDONLY | DIRECTORY | NOFOLLOW)
    return new HostDirectory(handle, hasDescriptorPaths ? `${DESCRIPTORS}/${handle.fd}` : path)
  }

  /** Names in it that are wanted, sorted. @param most - more are not read. */
  async names(most: number, isWanted: (name: string, isDirectory: boolean) => boolean): Promise<string[]> {
    const names: string[] = []
    for await (const entry of await opendir(this.#path)) {
      if (isWanted(entry.name, entry.isDirectory())) names.push(entry.name)
      if (names.length >= most) break
    }
    return names.sort()
  }

  look(name: string): Promise<Stats> {
    return lstat(this.#at(name))
  }

  child(name: string): Promise<HostDirectory> {
    return HostDirectory.#open(this.#at(name))
  }

  /** Opens a directory in it, which is made where it is missing. */
  async makeChild(name: string): Promise<HostDirectory> {
    try {
      await mkdir(this.#at(name))
    } catch (error) {
      // What is there is opened, or refused for what it is.
      if (errorCode(error) !== 'EEXIST') throw error
    }
    return this.child(name)
  }

  /** Opens a file for reading; a link is refused. */
  openFile(name: string): Promise<FileHandle> {
    return open(this.#at(name), O_RDONLY | NOFOLLOW | NO_WAIT)
  }

  /** Puts a file in place whole: at any time the name has what it had before, or all of the content. */
  async writeFile(name: string, content: Uint8Array, isExecutable: boolean): Promise<void> {
    const staged = this.#at(`.strands-export-${randomUUID()}`)
    const handle = await open(staged, O_WRONLY | O_CREAT | O_EXCL | NOFOLLOW, isExecutable ? 0o777 : 0o666)
    try {
      try {
        await handle.writeFile(content)
      } finally {
        await handle.close()
      }
      await rename(staged, this.#at(name))
    } catch (error) {
      // The first cause wins over a failure to clean up after it.
      await Promise.allSettled([unlink(staged)])
      throw error
    }
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  #at(name: string): string {
    return `${this.#path}/${name}`
  }
}

/** Whether a text is one name that a directory of the host can have. */
export function isHostName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name !== '' &&
    name !== '.' &&
    name !== '..' &&
    !/[/\0]/.test(name) &&
    !name.includes(sep) &&
    name.isWellFormed() &&
    Buffer.byteLength(name) <= 255
  )
}
