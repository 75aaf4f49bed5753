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

/** What one channel does with a content file: it puts contents there, and its far side tells when it has read them. */
export class ContentShare {
  readonly #file: ContentFile
  #holds = false

  constructor(file: ContentFile) {
    this.#file = file
  }

  /** As {@link ContentFile.put}. */
  put(content: Uint8Array): boolean {
    const isPut = this.#file.put(content)
    if (isPut) this.#holds = true
    return isPut
  }

  /** The far side has read it. @throws ProtocolBreach - it was given none */
  taken(): void {
    if (!this.#holds) throw new ProtocolBreach('The far side took a content that was not there.')
    this.end()
  }

  /** Nobody reads any more what it has put there. */
  end(): void {
    if (this.#holds) this.#file.free()
    this.#holds = false
  }
}

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

  /** The way of one channel to it. */
  share(): ContentShare {
    return new ContentShare(this)
  }

  /** Its content is of no use any more. */
  free(): void {
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
