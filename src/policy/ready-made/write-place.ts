import type { Protection } from './paths.ts'

/** Where a script writes, as far as its text tells. */
export interface WritePlace {
  readonly protection: Protection
  /** The directory that relative paths are taken from; undefined where that is only known at run time. */
  readonly directory: string | undefined
  /** Whether the programs are those of a machine, as in a jail: they do more than those of Strands Shell. */
  readonly ofMachine: boolean
}

/** Says that a place is only known at run time. */
export function unknownPlace(what: string): string {
  return `${what}: where this is written is only known at run time. Write an absolute path, without variables or patterns.`
}
