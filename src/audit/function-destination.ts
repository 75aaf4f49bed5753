import { countLines, type Destination, type Written } from './destination.ts'

/** Hands lines to a function of the caller's. */
export class FunctionDestination implements Destination {
  readonly #write: (lines: string) => unknown
  /** Lines that the function has and whose promise is pending. */
  #underWay: number | undefined

  constructor(write: (lines: string) => unknown) {
    this.#write = write
  }

  async write(lines: string): Promise<Written> {
    const count = countLines(lines)
    this.#underWay = count
    try {
      await this.#write(lines)
      return { written: count, lost: 0 }
    } catch (error) {
      return { written: 0, lost: count, error }
    } finally {
      this.#underWay = undefined
    }
  }

  /** The function has them: nobody can tell more. */
  settle(): number | undefined {
    return this.#underWay
  }

  writeNow(lines: string): Written {
    const count = countLines(lines)
    try {
      // The process ends before a promise of the function could tell anything.
      Promise.resolve(this.#write(lines)).catch(() => undefined)
      return { written: count, lost: 0 }
    } catch (error) {
      return { written: 0, lost: count, error }
    }
  }

  close(): void {
    // Nothing is held.
  }
}
