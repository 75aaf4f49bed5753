import { prefixOf } from '../../../../host-files/paths.ts'
import { STAMP_DIRECTORY } from '../../stamp-directory.ts'

/** Where a mirrored directory, or a single file, is inside the sandbox. */
export class Place {
  readonly root: string
  readonly isFile: boolean
  /** A file that is touched when both sides are equal. The sandbox changed what is newer. */
  readonly stamp: string
  /** What the paths below the root begin with. */
  readonly #prefix: string

  constructor(root: string, isFile: boolean, index: number) {
    this.root = root
    this.#prefix = prefixOf(root)
    this.isFile = isFile
    this.stamp = `${STAMP_DIRECTORY}/${index}`
  }

  /** The absolute path of what is at `rel` below the root; `''` is the root. */
  path(rel: string): string {
    return rel === '' ? this.root : this.#prefix + rel
  }

  /** The inverse of `path`; `undefined` for a path outside. */
  rel(path: string): string | undefined {
    if (path === this.root) return ''
    return path.startsWith(this.#prefix) ? path.slice(this.#prefix.length) : undefined
  }
}
