import { childOf, nameOf } from '../../../host-files/names.ts'
import { parentOf } from '../../../host-files/paths.ts'

/** What the sandbox has at a path in place of the host's. */
export type Present =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode: number; readonly modified: Date }
  | {
      readonly kind: 'directory'
      readonly mode: number
      readonly modified: Date
      /** Nothing of the host is in it. */
      readonly isOwn: boolean
    }
  | { readonly kind: 'link'; readonly target: string; readonly modified: Date }

/** The same, or that the sandbox removed what the host has. */
export type Copied = Present | { readonly kind: 'gone' }

/** What the sandbox has of a copy in memory, by path. */
export class CopiedFiles {
  readonly #entries = new Map<string, Copied>()
  readonly #names = new Map<string, Set<string>>()
  readonly #touched = new Set<string>()
  readonly #reserve: (bytes: number) => void

  /** @param reserve - takes bytes from the bound of the sandbox's files; throws where they are not left. */
  constructor(reserve: (bytes: number) => void) {
    this.#reserve = reserve
  }

  at(rel: string): Copied | undefined {
    return this.#entries.get(rel)
  }

  /** The paths at which something was set or forgotten since the last time that this was asked. */
  takeTouched(): string[] {
    const touched = [...this.#touched]
    this.#touched.clear()
    return touched
  }

  /** The names in a directory that are here, those of removed ones included. */
  names(rel: string): Iterable<string> {
    return this.#names.get(rel) ?? []
  }

  /** Whether the host's files at a path are not seen, because of what is here above it. */
  hides(rel: string): boolean {
    for (let above = rel; above !== ''; ) {
      above = parentOf(above)
      const entry = this.#entries.get(above)
      if (entry !== undefined) return entry.kind !== 'directory' || entry.isOwn
    }
    return false
  }

  /** @throws an error with the code `ENOSPC` where there is no room; nothing has changed then. */
  set(rel: string, entry: Copied): void {
    this.#reserve(sizeOf(entry) - sizeOf(this.#entries.get(rel)))
    this.#entries.set(rel, entry)
    this.#touched.add(rel)
    if (rel === '') return
    const siblings = this.#names.get(parentOf(rel)) ?? new Set()
    this.#names.set(parentOf(rel), siblings.add(nameOf(rel)))
  }

  /** Forgets what is at a path and below it. */
  drop(rel: string): void {
    for (const name of [...this.names(rel)]) this.drop(childOf(rel, name))
    this.#reserve(-sizeOf(this.#entries.get(rel)))
    this.#entries.delete(rel)
    this.#touched.add(rel)
    this.#names.get(parentOf(rel))?.delete(nameOf(rel))
  }
}

const sizeOf = (entry: Copied | undefined) => (entry?.kind === 'file' ? entry.bytes.byteLength : 0)
