import { readFileSync } from 'node:fs'
import { performance } from '../../async/clock.ts'

/** A file of the system's; undefined where there is none, or it cannot be read. */
export function readSystemFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined // No /proc, a hidden one, or nothing more can be opened: whoever asks decides what that means.
  }
}

/** Milliseconds that a limit is kept: another process, such as `prlimit`, can set it. */
const KEPT = 100

/** A limit of this process. Reading it costs more than all else that is looked at here, so it is kept for a moment while it suffices. */
export class ProcessLimit {
  readonly #line: RegExp
  #most: number | undefined
  #readAt = Number.NEGATIVE_INFINITY

  /** @param name - as `/proc/self/limits` has it. */
  constructor(name: string) {
    this.#line = new RegExp(`^${name}\\s+(\\d+|unlimited)`, 'm')
  }

  /** Its soft value; undefined where it cannot be read. @param atLeast - where it was less, it is read again in any case: it may have been raised. */
  read(atLeast: number): number | undefined {
    const now = performance.now()
    if (this.#most === undefined || this.#most < atLeast || now - this.#readAt > KEPT) {
      this.#readAt = now
      const value = this.#line.exec(readSystemFile('/proc/self/limits') ?? '')?.[1]
      if (value !== undefined) this.#most = value === 'unlimited' ? Number.POSITIVE_INFINITY : Number(value)
    }
    return this.#most
  }
}
