import { closeSync, constants, ftruncateSync, openSync, writeSync } from 'node:fs'

/** Bytes that were read and may still take room. */
const MOST_READ = 1024 * 1024

/**
 * The lines of a shell that reads a file: bash reads a file in blocks, and a pipe byte by byte. It comes to the end of the file
 * only when it is told that there is a line, or else it would end.
 */
export class LineFile {
  readonly #file: number
  readonly #pipe: number
  #end = 0
  #left = 0

  /** @param paths - of the file, and of the named pipe that says that there is a line. */
  constructor(paths: { readonly file: string; readonly pipe: string }) {
    this.#file = openSync(paths.file, 'r+')
    try {
      this.#pipe = openSync(paths.pipe, constants.O_RDWR | constants.O_NONBLOCK)
    } catch (error) {
      closeSync(this.#file)
      throw error
    }
  }

  /** Writes a line, or several. All before them was read. */
  write(lines: string): void {
    const bytes = Buffer.from(lines)
    if (this.#end - this.#left > MOST_READ) {
      // Places stay what they are: what was read is a hole.
      ftruncateSync(this.#file, 0)
      this.#left = this.#end
    }
    for (let at = 0; at < bytes.length; )
      at += writeSync(this.#file, bytes, at, bytes.length - at, this.#end + at)
    this.#end += bytes.length
    writeSync(this.#pipe, '\n')
  }

  close(): void {
    closeSync(this.#file)
    closeSync(this.#pipe)
  }
}
