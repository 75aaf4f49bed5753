import { droppedLine } from './line.ts'

/** A line that waits to be written. */
interface WaitingLine {
  readonly text: string
  readonly bytes: number
  /** How many dropped lines it tells of; 0: it is one of the caller's. */
  readonly tells: number
}

/** Lines of a log in their order, from the front on: what stays in the queue was not written. */
export interface Batch {
  readonly text: string
  readonly lines: number
}

/** Lines that wait to be written, bounded in bytes. Where lines are missing, one line tells how many. */
export class LineQueue {
  readonly #maxBytes: number
  #lines: WaitingLine[] = []
  /** How many at the begin of `#lines` are gone. */
  #taken = 0
  #bytes = 0
  #dropped = 0
  /** Dropped lines of which no line tells. */
  #untold = 0
  #written = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Lines of events that were written. */
  get written(): number {
    return this.#written
  }

  /** Lines of events that were dropped. */
  get dropped(): number {
    return this.#dropped
  }

  get waiting(): number {
    return this.#lines.length - this.#taken
  }

  get isEmpty(): boolean {
    return this.waiting === 0 && this.#untold === 0
  }

  /** Appends a line, or drops it where there is no room. */
  add(text: string): void {
    const bytes = Buffer.byteLength(text)
    if (this.#bytes + bytes > this.#maxBytes) {
      this.drop()
      return
    }
    this.tellDropped()
    this.#push({ text, bytes, tells: 0 })
  }

  /** Counts a line that was never in it. */
  drop(): void {
    this.#dropped += 1
    this.#untold += 1
  }

  /** Appends the line that tells of what was dropped. */
  tellDropped(): void {
    if (this.#untold === 0) return
    const text = droppedLine(this.#untold)
    this.#push({ text, bytes: Buffer.byteLength(text), tells: this.#untold })
    this.#untold = 0
  }

  /** The next lines, of at most so many bytes, or one. */
  next(bytes: number): Batch {
    let size = 0
    let end = this.#taken
    for (; end < this.#lines.length; end++) {
      size += this.#lines[end]?.bytes ?? 0
      if (size > bytes && end > this.#taken) break
    }
    const lines = this.#lines.slice(this.#taken, end)
    return { text: lines.map(({ text }) => text).join(''), lines: lines.length }
  }

  /** The next lines were written. */
  wrote(count: number): void {
    for (const { tells } of this.#take(count)) if (tells === 0) this.#written += 1
  }

  /** The next lines will never be. */
  lost(count: number): void {
    for (const { tells } of this.#take(count)) {
      this.#untold += Math.max(tells, 1)
      if (tells === 0) this.#dropped += 1
    }
  }

  #push(line: WaitingLine): void {
    this.#lines.push(line)
    this.#bytes += line.bytes
  }

  #take(count: number): readonly WaitingLine[] {
    const lines = this.#lines.slice(this.#taken, this.#taken + count)
    for (const { bytes } of lines) this.#bytes -= bytes
    this.#taken += lines.length
    if (this.#taken > this.#lines.length / 2) {
      this.#lines.splice(0, this.#taken)
      this.#taken = 0
    }
    return lines
  }
}
