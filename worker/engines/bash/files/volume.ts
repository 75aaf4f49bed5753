type Maybe<T> = T | Promise<T>

/** What is at a path of a volume. */
export interface Node {
  readonly kind: 'file' | 'directory' | 'link'
  /** Permission bits. */
  readonly mode: number
  /** Bytes. */
  readonly size: number
  readonly modified: Date
  /** The text of a link. */
  readonly target?: string
  /** The same for all names of a file. */
  readonly identity?: string
}

/**
 * A tree of files that is mounted in a sandbox. Paths are relative to its root, which is `''`, and are joined by single
 * slashes. No component of them is a link but perhaps the last, which is never followed.
 *
 * @throws every operation throws an error whose `code` is the name of a system error
 */
export interface Volume {
  /** What is at a path; `undefined` if nothing is. */
  look(rel: string): Maybe<Node | undefined>
  /**
   * What is at a path of which nothing is known; `undefined` if nothing is, or a directory of the path may be none or a
   * link. Absent where that takes as long as looking at each directory.
   */
  lookThrough?(rel: string): Maybe<Node | undefined>
  /** What is in a directory, by name. */
  list(rel: string): Maybe<ReadonlyMap<string, Pick<Node, 'kind'>>>
  /** The content of a file that a look has found. */
  read(rel: string): Maybe<Uint8Array>
  /** Writes a whole file. @param mode - of a new one. */
  write(rel: string, bytes: Uint8Array, mode: number): Maybe<void>
  /** @param mode - of a new file. */
  append(rel: string, bytes: Uint8Array, mode: number): Maybe<void>
  makeDirectory(rel: string, mode: number): Maybe<void>
  makeLink(rel: string, target: string): Maybe<void>
  /** Gives a file a second name. */
  link(from: string, to: string): Maybe<void>
  /** Removes a file, a link, or an empty directory. */
  remove(rel: string): Maybe<void>
  /** Moves what is at a path, over a file or an empty directory. */
  rename(from: string, to: string): Maybe<void>
  chmod(rel: string, mode: number): Maybe<void>
  setModified(rel: string, modified: Date): Maybe<void>
}
