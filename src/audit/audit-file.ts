import { performance } from '../async/clock.ts'
import { errorCode } from '../sandbox/error-code.ts'
import { countLines, type Destination, type Written } from './destination.ts'
import { type FileSystem, nodeFileSystem } from './file-system.ts'
import { openWhole, realPathOf, takePath } from './open-file.ts'
import { cutPartialLine } from './partial-line.ts'
import { rotatedNumbers } from './rotated-files.ts'

/** Milliseconds that the end of the process waits for a write under way, at most. */
const longestSettling = 1000

/** Where a file is, and how it is rotated. */
interface AuditFileOptions {
  readonly file: string
  readonly maxBytes: number
  readonly keep: number
}

/** A write that was begun and has not ended. */
interface UnderWay {
  readonly piece: Uint8Array
  /** Size of the file before it. */
  readonly from: number
}

/** A file of whole lines that is renamed when it is full. */
export class AuditFile implements Destination {
  readonly #path: string
  readonly #release: () => void
  readonly #maxBytes: number
  readonly #keep: number
  readonly #fs: FileSystem
  #fd: number
  /** True where the end of the file may be a part of a line. */
  #isDamaged = false
  /** Lines of the call under way that are in the file. */
  #done: number | undefined
  #underWay: UnderWay | undefined

  /** @throws SandboxConfigError with the field `file` where it cannot be written */
  constructor({ file, maxBytes, keep }: AuditFileOptions, fs: FileSystem = nodeFileSystem) {
    this.#path = realPathOf(file)
    this.#maxBytes = maxBytes
    this.#keep = keep
    this.#fs = fs
    this.#release = takePath(this.#path)
    try {
      this.#fd = openWhole(this.#path, fs)
    } catch (error) {
      this.#release()
      throw error
    }
  }

  async write(lines: string): Promise<Written> {
    const bytes = Buffer.from(lines)
    let at = 0
    let problem: unknown
    this.#done = 0
    try {
      let size = await this.#find()
      while (at < bytes.length) {
        if (size > 0 && size + endOfLine(bytes, at) - at > this.#maxBytes) {
          // Where it cannot be rotated it grows: the lines are worth more than the bound.
          problem = await this.#rotate()
          size = 0
        }
        const piece = bytes.subarray(at, endOfLines(bytes, at, this.#maxBytes - size))
        await this.#append(piece)
        at += piece.length
        size += piece.length
      }
    } catch (error) {
      problem = error
    }
    const written = this.#done
    this.#done = undefined
    return { written, lost: 0, error: problem }
  }

  settle(): number | undefined {
    if (this.#done === undefined || this.#underWay === undefined) return this.#done
    try {
      return this.#done + this.#settled(this.#underWay)
    } catch {
      // The file tells nothing more: what is not surely in it is written again.
      return this.#done
    }
  }

  writeNow(lines: string): Written {
    const bytes = Buffer.from(lines)
    let at = 0
    try {
      this.#findNow()
      while (at < bytes.length) at += this.#fs.writeNow(this.#fd, bytes.subarray(at))
      return { written: countLines(bytes), lost: 0 }
    } catch (error) {
      this.#isDamaged = true
      this.#repair()
      return { written: countLines(bytes.subarray(0, at)), lost: 0, error }
    }
  }

  close(): void {
    this.#release()
    this.#fs.closeNow(this.#fd)
  }

  /** Appends whole lines. @throws where not all are in the file: those that are count in `#done` */
  async #append(piece: Uint8Array): Promise<void> {
    let written = 0
    this.#underWay = { piece, from: this.#fs.factsNow(this.#fd).size }
    try {
      while (written < piece.length) {
        const count = await this.#fs.write(this.#fd, piece.subarray(written))
        if (count === 0) throw new Error('The file takes nothing more.')
        written += count
      }
    } catch (error) {
      this.#isDamaged = true
      this.#repair()
      throw error
    } finally {
      this.#underWay = undefined
      this.#done = (this.#done ?? 0) + countLines(piece.subarray(0, written))
    }
  }

  /** How many lines of a write under way are in the file, once it has ended or taken too long. */
  #settled({ piece, from }: UnderWay): number {
    const deadline = performance.now() + longestSettling
    const cell = new Int32Array(new SharedArrayBuffer(4))
    let written = this.#fs.factsNow(this.#fd).size - from
    while (written < piece.length && performance.now() < deadline) {
      Atomics.wait(cell, 0, 0, 1)
      written = this.#fs.factsNow(this.#fd).size - from
    }
    if (written < piece.length) cutPartialLine(this.#fd, this.#fs)
    return countLines(piece.subarray(0, Math.max(0, written)))
  }

  /** Makes sure that what is at the path is written, and gives its size. Somebody else may have moved it. */
  async #find(): Promise<number> {
    if (this.#isDamaged) cutPartialLine(this.#fd, this.#fs)
    this.#isDamaged = false
    const there = await this.#fs.stat(this.#path)
    const own = this.#fs.factsNow(this.#fd)
    if (there?.ino === own.ino && there.dev === own.dev) return own.size
    this.#replace(await this.#fs.open(this.#path))
    return this.#fs.factsNow(this.#fd).size
  }

  #findNow(): void {
    const fd = this.#fs.openNow(this.#path)
    this.#replace(fd)
  }

  #replace(fd: number): void {
    try {
      cutPartialLine(fd, this.#fs)
    } catch (error) {
      this.#fs.closeNow(fd)
      throw error
    }
    this.#fs.closeNow(this.#fd)
    this.#fd = fd
  }

  /** Gives what has failed. */
  async #rotate(): Promise<unknown> {
    try {
      for (const number of await this.#inTheWay()) await this.#renameRotated(number)
      await this.#fs.rename(this.#path, `${this.#path}.1`)
      this.#replace(await this.#fs.open(this.#path))
      return undefined
    } catch (error) {
      return error
    }
  }

  /** The rotated files whose numbers have to rise, the oldest first: those before the first number that is free. */
  async #inTheWay(): Promise<readonly number[]> {
    const there = await rotatedNumbers(this.#path)
    const free = there.findIndex((number, index) => number !== index + 1)
    const before = free === -1 ? there : there.slice(0, free)
    return before.filter((number) => number < this.#keep).reverse()
  }

  async #renameRotated(number: number): Promise<void> {
    try {
      await this.#fs.rename(`${this.#path}.${number}`, `${this.#path}.${number + 1}`)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }

  /** Cuts off a part of a line. Where that fails, the next write tries it again first. */
  #repair(): void {
    try {
      cutPartialLine(this.#fd, this.#fs)
      this.#isDamaged = false
    } catch {
      // `#isDamaged` says so.
    }
  }
}

/** Where the line at a place ends, with its line break. */
function endOfLine(bytes: Buffer, start: number): number {
  return bytes.indexOf(10, start) + 1
}

/** Where the last line ends that lies within so many bytes; at least one does. */
function endOfLines(bytes: Buffer, start: number, room: number): number {
  if (start + room >= bytes.length) return bytes.length
  const end = room > 0 ? bytes.lastIndexOf(10, start + room - 1) + 1 : 0
  return end > start ? end : endOfLine(bytes, start)
}
