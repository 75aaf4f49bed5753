/** How writing has ended. Lines that are neither written nor lost are to be written again. */
export interface Written {
  /** Lines from the front on that were written. */
  readonly written: number
  /** Lines after those that cannot be written again. */
  readonly lost: number
  /** What went wrong, if anything did. */
  readonly error?: unknown
}

/** Where the lines of a log go. */
export interface Destination {
  /** Writes whole lines. Never rejects. Called once at a time. */
  write(lines: string): Promise<Written>
  /**
   * Settles a write that is under way, before the process ends.
   *
   * @returns how many of its lines are written; undefined where none is under way
   */
  settle(): number | undefined
  /** Writes whole lines at once, before the process ends. Never throws. */
  writeNow(lines: string): Written
  /** Lets go of what it holds. */
  close(): void
}

/** Counts the lines of a text. */
export function countLines(text: string | Uint8Array): number {
  let count = 0
  if (typeof text === 'string') {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
    return count
  }
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) count += 1
  return count
}
