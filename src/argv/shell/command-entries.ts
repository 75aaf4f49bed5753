import { posix } from 'node:path'
import { refuse } from '../../sandbox/arguments.ts'
import { requireTexts } from '../arguments.ts'

/** An entry of `allowed` or `blocked`: the words that a command begins with. */
export type CommandEntry = readonly string[]

/** @throws SandboxConfigError naming the entry, such as `allowed[0]`, that is no text or empty. */
export function requireEntries(list: unknown, field: string): readonly CommandEntry[] {
  return requireTexts(list, field).map((text, index) => {
    const words = text.split(/\s+/).filter((word) => word !== '')
    if (words.length === 0) throw refuse(`${field}[${index}]`, 'must be a command, but is empty.')
    return words
  })
}

/** True where the argv begins with the words of an entry, each of them exactly. */
export function isAllowed(argv: readonly string[], entries: readonly CommandEntry[]): boolean {
  return entries.some((entry) => entry.every((word, index) => argv[index] === word))
}

/** The same, with programs taken by their names alone: `/usr/bin/git push` is `git push`, and `./tool` is `tool`. */
export function isBlocked(argv: readonly string[], entries: readonly CommandEntry[]): boolean {
  return isAllowed(byName(argv), entries.map(byName))
}

function byName([program, ...args]: readonly string[]): readonly string[] {
  return program === undefined ? args : [posix.basename(program), ...args]
}
