import { closeSync, openSync, readSync } from 'node:fs'

const residentLine = /^VmRSS:\s+(\d+) kB$/m

/** The resident memory of one process. Its file stays open between two looks: opening it takes most of the time of a look. */
export class ProcessMemory {
  readonly #text = Buffer.alloc(4096)
  #file: number | undefined
  #isClosed = false

  /** In bytes; undefined where the system does not tell, where it has ended, and once this is closed. @param pid - always that of the process. */
  look(pid: number): number | undefined {
    if (this.#isClosed) return undefined
    try {
      this.#file ??= openSync(`/proc/${pid}/status`, 'r')
      const length = readSync(this.#file, this.#text, 0, this.#text.length, 0)
      const kilobytes = residentLine.exec(this.#text.toString('latin1', 0, length))?.[1]
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
    } catch {
      return undefined // Ended, or no Linux.
    }
  }

  /** Idempotent. */
  close(): void {
    this.#isClosed = true
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}
