import type { SyntaxNode } from 'unbash'
import type { Facts } from './facts.ts'
import type { Script } from './script.ts'
import type { TranslationOptions } from './translation.ts'
import type { Place } from './walk.ts'

/** What the translation of a script needs, and what it makes. */
export interface Work {
  readonly script: Script
  /** Part of the names that it makes: other scripts have others. */
  readonly mark: string
  readonly options: TranslationOptions
  readonly facts: Facts
  /** What has to run before a command. */
  readonly pending: Map<SyntaxNode, string[]>
  /** Patterns of names of files in arguments, as arguments of the program that finds the names. */
  readonly patterns: string[]
  /** Commands with such patterns run in functions; each takes a redirection to put before the command in it. */
  readonly matching: Map<SyntaxNode, (redirection: string) => void>
  /** Puts a definition before the script. */
  hoist(definition: string): void
  /** The path of a file with this text, which is there when the script runs. */
  file(text: string): string
  /** A path for a file that the script writes itself. */
  scratch(): string
  /** How a program of the translation is called. */
  program(name: string): string
  /** Texts of files that have to be there. */
  add(files: ReadonlyMap<string, string>): void
  /** Another number for names. */
  next(): number
}

/** Rewrites a construct, or refuses it. The children of the node are done. */
export type Rule<Type extends SyntaxNode['type']> = (
  node: Extract<SyntaxNode, { readonly type: Type }>,
  work: Work,
  place: Place,
) => void
