import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, openSync, statfsSync, unlinkSync, writeSync } from 'node:fs'
import { clearTimeout, setTimeout } from '../async/clock.ts'
import { outsideRequests } from '../async/outside-requests.ts'
import { ProtocolBreach } from './errors.ts'

/** Bytes of a content that the file is worth, and those that it holds at most. Others cross by the pipe. */
const smallest = 256 * 1024
const largest = 64 * 1024 ** 2

const directory = '/dev/shm'
/** The type of a file system in memory. */
const tmpfs = 0x0102_1994

/** Milliseconds without use after which its memory is given back. */
const idle = 2_000

/**
 * A file in memory by which a host hands long contents to its cell, one at a time: two copies instead of many pieces of a
 * pipe. It has no name. The cell inherits a descriptor to read it.
 */
export class ContentFile {
  /** What the cell inherits. */
  readonly reader: number
  readonly #fd: number
  #inUse = false
  #isOpen = true
  #shrinks: NodeJS.Timeout | undefined

  /** Undefined where the machine has no such files, or no room for one. */
  static make(): ContentFile | undefined {
    try {
      if (statfsSync(directory).type !== tmpfs) return undefined
      const path = `${directory}/strands-shell-${randomUUID()}`
      const fd = openSync(path, 'wx', 0o600)
      try {
        return new ContentFile(fd, openSync(path, 'r'))
      } catch (error) {
        closeSync(fd)
        throw error
      } finally {
        unlinkSync(path)
      }
    } catch {
      return undefined // Contents cross by the pipe.
    }
  }

  private constructor(fd: number, reader: number) {
    this.#fd = fd
    this.reader = reader
  }

  /** What it takes of the memory, in bytes. */
  get size(): number {
    return this.#isOpen ? fstatSync(this.#fd).blocks * 512 : 0
  }

  /** Holds a content for the cell. False: it is too short or too long, another one is there, or there is no room. */
  put(content: Uint8Array): boolean {
    if (this.#inUse || !this.#isOpen || content.length < smallest || content.length > largest) return false
    clearTimeout(this.#shrinks)
    try {
      for (let at = 0; at < content.length; ) at += writeSync(this.#fd, content, at, content.length - at, at)
    } catch {
      this.#shrink()
      return false // There is no room.
    }
    this.#inUse = true
    return true
  }

  /** The cell has read it. @throws ProtocolBreach - there was none to read */
  taken(): void {
    if (!this.#inUse) throw new ProtocolBreach('The far side took a content that was not there.')
    this.#inUse = false
    this.#shrinks = outsideRequests(() => setTimeout(() => this.#shrink(), idle)).unref()
  }

  /** The cell was started: it has its descriptor. */
  inherited(): void {
    closeSync(this.reader)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearTimeout(this.#shrinks)
    closeSync(this.#fd)
  }

  #shrink(): void {
    if (this.#isOpen) ftruncateSync(this.#fd)
  }
}
