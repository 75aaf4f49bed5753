import type { Command, Word } from 'unbash'
import { isStage, type Place } from '../walk.ts'
import { literalOf } from '../words.ts'
import type { Work } from '../work.ts'

/** A simple command whose name is known. */
export interface Named {
  readonly node: Command
  readonly nameWord: Word
  readonly name: string
  readonly words: readonly Word[]
  /** The words as far as they are literal. */
  readonly literals: readonly (string | undefined)[]
}

/**
 * Rewrites the words of a command.
 *
 * @param place - where it stands; undefined where another program runs it.
 */
export type CommandRule = (command: Named, work: Work, place?: Place) => void

/** The command as one whose name is known. */
export function named(node: Command): Named | undefined {
  const name = literalOf(node.name)
  if (name === undefined || node.name === undefined) return undefined
  const words = node.args.filter((arg) => arg.type === 'Word')
  return { node, nameWord: node.name, name, words, literals: words.map(literalOf) }
}

/** Whether a command may become the call of a function: no other program runs it, and it is no stage and has no redirections or variables of its own. */
export function standsAlone({ node }: Named, place: Place | undefined): boolean {
  return place !== undefined && !isStage(place) && node.redirects.length === 0 && node.prefix.length === 0
}

/** Takes letters out of the short options of a command. */
export function dropFlags({ words, literals }: Named, letters: RegExp, { script }: Work): void {
  for (const [index, word] of words.entries()) {
    const literal = literals[index]
    if (literal === '--') return
    if (literal === undefined || !/^-[A-Za-z]+$/.test(literal)) continue
    const kept = literal.replace(letters, '')
    if (kept !== literal) script.replace(word, kept === '-' ? '' : kept)
  }
}
