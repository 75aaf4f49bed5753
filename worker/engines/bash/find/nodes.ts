import type { FileFacts } from '../commands/file-facts.ts'

/** A file that `find` looks at. */
export interface Entry {
  /** As it is printed: begins with the operand. */
  readonly path: string
  /** The operand below which it was found. */
  readonly start: string
  readonly full: string
  readonly depth: number
  readonly facts: FileFacts
}

/** What actions do beside their answer. */
export interface Actions {
  print(text: string): void
  /** Writes to a file that `-fprint` names. */
  write(path: string, text: string): void
  /** Runs a command. @returns whether its status is 0 */
  run(words: readonly string[], folder: string | undefined): Promise<boolean>
  /** Collects paths of `-exec … +`. */
  collect(words: readonly string[], path: string, folder: string | undefined): void
  /** Deletes a file. @returns whether it is gone */
  remove(entry: Entry): Promise<boolean>
  isEmpty(entry: Entry): Promise<boolean>
  /** What a link leads to; undefined where that is nothing, and the facts of what is no link. */
  followed(entry: Entry): Promise<FileFacts | undefined>
  /** Does not go below this directory. */
  prune(): void
  /** Ends the search at once. */
  quit(): never
}

/** A piece of the expression. */
export type Test = (entry: Entry, actions: Actions) => boolean | Promise<boolean>

/** What the words say. */
export interface FindRequest {
  readonly starts: readonly string[]
  readonly test: Test
  readonly least: number
  readonly most: number
  readonly depthFirst: boolean
  readonly follow: 'never' | 'starts' | 'always'
}

/** An expression that is not one. */
export class FindError extends Error {
  override readonly name = 'FindError'
}
