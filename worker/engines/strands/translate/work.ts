import type { Redirection, SyntaxNode } from 'unbash'
import type { Facts } from './facts.ts'
import type { Inputs } from './input.ts'
import type { Script } from './script.ts'
import type { SessionFacts, Translation, TranslationOptions } from './translation.ts'
import type { Place } from './walk.ts'

/** A command whose arguments are expanded before it runs. */
interface Once {
  /** Commands that expand them, and open the files. */
  readonly begins: readonly string[]
  /** A command whose status says whether the engine's program is right about the arguments. */
  readonly there: string
  /** What runs where it is not. */
  readonly text: string
}

/** Where the output of a command goes. */
export interface Output {
  readonly operator: string
  readonly to: string
  readonly one: Redirection
  readonly once?: Once
}

/** What the translation of a script needs, and what it makes. */
export interface Work {
  readonly script: Script
  /** Part of the names that it makes: other scripts have others. */
  readonly mark: string
  readonly options: TranslationOptions
  readonly facts: Facts
  readonly inputs: Inputs
  /** The nodes of the script where it has a standard input. */
  readonly input: readonly SyntaxNode[] | undefined
  /** Pipelines may have to tell the status of all their commands. */
  readonly pipefail: boolean
  /** What the session has before the script. */
  readonly session: SessionFacts
  /** What has to run before a command. */
  readonly pending: Map<SyntaxNode, string[]>
  /** Values that are to be looked at before a command computes with them. */
  readonly operands: Map<SyntaxNode, Set<string>>
  /** Where the output of commands goes that another command writes. */
  readonly outputs: Map<SyntaxNode, Output>
  /** Arguments that are known when their command runs: commands that give a variable the text of the words. */
  readonly patterns: ((name: string) => string)[]
  /** Puts a definition before the script. */
  hoist(definition: string): void
  /** The path of a file with this text, which is there when the script runs. */
  file(text: string): string
  /** A path for a file that the script writes itself. */
  scratch(): string
  /** The path of a program of the translation, which is there when the script runs. */
  programFile(name: string): string
  /** How a program of the translation is called. */
  program(name: string): string
  /** Translates another script. */
  translate(text: string, options: TranslationOptions): Translation
  /** Texts of files that have to be there. */
  add(files: ReadonlyMap<string, string>): void
  /** Another number for names. */
  next(): number
  /** Marks a function that the script defines. @returns what its mark is once it is defined */
  define(name: string): string
}

/** Rewrites a construct, or refuses it. The children of the node are done. */
export type Rule<Type extends SyntaxNode['type']> = (
  node: Extract<SyntaxNode, { readonly type: Type }>,
  work: Work,
  place: Place,
) => void
