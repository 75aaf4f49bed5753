import { closeSync, constants, openSync, readlinkSync } from 'node:fs'
import { isAbsence, systemCode } from './errors.ts'

/** Linux' flag for a descriptor that stands for a place and needs no permission on it; Node does not name it. */
export const O_PATH = 0o10000000
const OPEN_DIRECTORY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW
/** How many directories stay open at a time. */
const MAX_OPEN = 32

/** Why a directory could not be anchored: nothing is there, or it is no directory or is reached through a link. */
export type Unanchored = 'missing' | 'blocked'

/**
 * An open directory. Paths through it name what is in that very directory, whatever its path has come to mean since:
 * what `openat` and its like do elsewhere, Node can do through `/proc/self/fd`.
 */
export class Anchor {
  /** A path of the directory itself. */
  readonly path: string
  readonly #descriptor: number
  readonly #expected: string

  private constructor(descriptor: number, expected: string) {
    this.#descriptor = descriptor
    this.#expected = expected
    this.path = `/proc/self/fd/${descriptor}`
  }

  /**
   * Opens a directory by its real path.
   * @param path absolute, without links: a directory reached through any link is refused.
   * @throws the system's error when the directory may not be reached, or descriptors ran out.
   */
  static open(path: string): Anchor | Unanchored {
    let descriptor: number
    try {
      descriptor = openSync(path, OPEN_DIRECTORY)
    } catch (error) {
      if (!isAbsence(error)) throw error
      return systemCode(error) === 'ENOENT' ? 'missing' : 'blocked'
    }
    const anchor = new Anchor(descriptor, path)
    let holds = false
    try {
      holds = anchor.holds()
    } finally {
      if (!holds) anchor.close()
    }
    return holds ? anchor : 'blocked'
  }

  /** Whether the directory still is where it was opened. */
  holds(): boolean {
    return readlinkSync(this.path) === this.#expected
  }

  /** A path for `name` in this directory, which has to be one name. */
  at(name: string): string {
    return `${this.path}/${name}`
  }

  /** To be called once. */
  close(): void {
    closeSync(this.#descriptor)
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** The anchors of one flush: those used last stay open until it ends. */
export class Anchors implements Disposable {
  readonly #open = new Map<string, Anchor>()

  /**
   * The anchor of a directory, checked to be where it should; valid until the next call.
   * @throws what `Anchor.open` throws.
   */
  get(path: string): Anchor | Unanchored {
    const known = this.#open.get(path)
    if (known !== undefined) {
      this.#open.delete(path)
      if (this.#stillHolds(known)) {
        this.#open.set(path, known)
        return known
      }
    }
    const anchor = Anchor.open(path)
    if (typeof anchor === 'string') return anchor
    for (const [oldest, old] of this.#open) {
      if (this.#open.size < MAX_OPEN) break
      this.#open.delete(oldest)
      old.close()
    }
    this.#open.set(path, anchor)
    return anchor
  }

  /** Whether a known anchor can be used on; else it is closed. */
  #stillHolds(anchor: Anchor): boolean {
    let holds = false
    try {
      holds = anchor.holds()
    } finally {
      if (!holds) anchor.close()
    }
    return holds
  }

  /** Closes every anchor. */
  [Symbol.dispose](): void {
    for (const anchor of this.#open.values()) anchor.close()
    this.#open.clear()
  }
}
