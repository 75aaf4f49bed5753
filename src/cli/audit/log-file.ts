import type { Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { longestLine } from '../lines.ts'

const chunk = 64 * 1024

/** A line of a file of a log. */
export interface FoundLine {
  readonly file: string
  /** In its file, from 1. */
  readonly number: number
  /** Without its line break. */
  readonly bytes: Buffer
}

/** A file of a log that may be written while it is read. */
export class LogFile {
  /** What it was called when it was opened. */
  readonly path: string
  readonly #handle: FileHandle
  /** Where the next line begins. */
  #position = 0
  #number = 0

  private constructor(path: string, handle: FileHandle) {
    this.path = path
    this.#handle = handle
  }

  static async open(path: string): Promise<LogFile> {
    return new LogFile(path, await open(path))
  }

  stat(): Promise<Stats> {
    return this.#handle.stat()
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  /**
   * The whole lines that were not read yet.
   *
   * @param isDone - what follows the last line break is a line, too: nobody writes on
   */
  async *lines(isDone: boolean): AsyncGenerator<FoundLine, void> {
    if ((await this.#handle.stat()).size < this.#position) this.#position = 0
    let part: Buffer = Buffer.alloc(0)
    for (;;) {
      const place = this.#position + part.length
      const { bytesRead, buffer } = await this.#handle.read(Buffer.alloc(chunk), 0, chunk, place)
      if (bytesRead === 0) break
      part = Buffer.concat([part, buffer.subarray(0, bytesRead)])
      for (let end = part.indexOf(10); end !== -1; end = part.indexOf(10)) {
        yield this.#next(part.subarray(0, end), end + 1)
        part = part.subarray(end + 1)
      }
      if (part.length > longestLine) throw new RangeError('a line is longer than 256 MiB')
    }
    // A part of a line is read again, as a whole: who wrote it may have cut it off meanwhile.
    if (isDone && part.length > 0) yield this.#next(part, part.length)
  }

  #next(bytes: Buffer, length: number): FoundLine {
    this.#position += length
    this.#number += 1
    return { file: this.path, number: this.#number, bytes }
  }
}
