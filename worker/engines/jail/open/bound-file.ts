import { ftruncateSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** A file of the driver that a jail can read: it stays good when its name is gone. It is closed with its thread. */
export class BoundFile {
  readonly #handle: FileHandle
  #size = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async make(path: string): Promise<BoundFile> {
    return new BoundFile(await open(path, 'wx+', 0o644))
  }

  /** Replaces its content. Whoever reads it has ended. */
  write(content: string | Uint8Array): void {
    const { fd } = this.#handle
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at)
    if (bytes.length < this.#size) ftruncateSync(fd, bytes.length)
    this.#size = bytes.length
  }

  close(): void {
    // It was written: nothing is lost where closing fails.
    this.#handle.close().catch(() => undefined)
  }
}
