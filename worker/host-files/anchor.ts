import { closeSync } from 'node:fs'
import { systemCode } from '../service/system-code.ts'
import { descriptorPath, isDirectory, openDirectory, realPathOf, samePath } from './descriptors.ts'
import { isAbsence } from './errors.ts'

/** The most directories that are open at a time. */
const MAX_OPEN = 32

/** Why a directory could not be opened: it is missing, or it is not a directory or is reached through a link. */
export type Unanchored = 'missing' | 'blocked'

/**
 * An open directory. Paths through it lead to entries of this directory, even if it was moved or replaced since. Other
 * languages use `openat` for this; Node can use `/proc/self/fd`.
 */
export class Anchor {
  /** A path of the directory itself. */
  readonly path: string
  readonly #descriptor: number
  readonly #expected: string

  private constructor(descriptor: number, expected: string) {
    this.#descriptor = descriptor
    this.#expected = expected
    this.path = descriptorPath(descriptor) ?? expected
  }

  /**
   * Opens a directory by its real path.
   * @param path absolute, without links: a directory reached through any link is refused.
   * @throws the system's error when the directory may not be reached, or descriptors ran out.
   */
  static open(path: string): Anchor | Unanchored {
    let descriptor: number
    try {
      descriptor = openDirectory(path)
    } catch (error) {
      if (!isAbsence(error)) throw error
      return systemCode(error) === 'ENOENT' ? 'missing' : 'blocked'
    }
    const anchor = new Anchor(descriptor, path)
    let holds = false
    try {
      holds = anchor.holds() && isDirectory(descriptor)
    } finally {
      if (!holds) anchor.close()
    }
    return holds ? anchor : 'blocked'
  }

  /** Whether the directory is still where it was opened. */
  holds(): boolean {
    return samePath(realPathOf(this.#descriptor, this.#expected), this.#expected)
  }

  /** The path of `name` in this directory. `name` must be a single name. */
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

/** The anchors of one flush. The most recently used stay open until it ends. */
export class Anchors implements Disposable {
  readonly #open = new Map<string, Anchor>()

  /**
   * The anchor of a directory, checked to be still at its path. Valid until the next call.
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

  /** Whether an open anchor can still be used. If not, it is closed. */
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
