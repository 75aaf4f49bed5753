import * as fs from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errorCode } from '../sandbox/error-code.ts'

/** What tells a file apart. */
interface FileFacts {
  readonly dev: number
  readonly ino: number
  readonly size: number
}

/** What a log needs of a file system. What ends in `Now` blocks. */
export interface FileSystem {
  /** Opens a file for reading and for writing at its end; makes it, for its owner alone, where there is none. */
  open(path: string): Promise<number>
  openNow(path: string): number
  /** Bytes that were written, which may be fewer than those given. */
  write(fd: number, bytes: Uint8Array): Promise<number>
  writeNow(fd: number, bytes: Uint8Array): number
  /** Undefined where there is no such file. */
  stat(path: string): Promise<FileFacts | undefined>
  rename(from: string, to: string): Promise<void>
  factsNow(fd: number): FileFacts & { readonly isFile: boolean }
  readNow(fd: number, bytes: Uint8Array, position: number): number
  truncateNow(fd: number, size: number): void
  closeNow(fd: number): void
}

const mode = 0o600
const openCallback = promisify(fs.open)
const writeCallback = promisify(fs.write)

/** That of this machine. */
export const nodeFileSystem: FileSystem = {
  open: (path) => openCallback(path, 'a+', mode),
  openNow: (path) => fs.openSync(path, 'a+', mode),
  write: async (fd, bytes) => (await writeCallback(fd, bytes)).bytesWritten,
  writeNow: (fd, bytes) => fs.writeSync(fd, bytes),
  stat: async (path) => {
    try {
      return await stat(path)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
  },
  rename,
  factsNow: (fd) => {
    const facts = fs.fstatSync(fd)
    return { dev: facts.dev, ino: facts.ino, size: facts.size, isFile: facts.isFile() }
  },
  readNow: (fd, bytes, position) => fs.readSync(fd, bytes, 0, bytes.length, position),
  truncateNow: (fd, size) => fs.ftruncateSync(fd, size),
  closeNow: (fd) => fs.closeSync(fd),
}
