/** The part a word plays where it stands; an `item` is one of the words a `for` goes over. */
export type WordRole = 'command' | 'argument' | 'assignment' | 'target' | 'delimiter' | 'item' | 'other'

/** A word of a script: `text.slice(start, end)`. */
export interface ScriptWord {
  readonly start: number
  readonly end: number
  readonly role: WordRole
  /** The word itself when it holds no quotes, escapes or expansions, else null. */
  readonly plain: string | null
  /** It names a command where the engine does not expand aliases. */
  readonly unaliased: boolean
}

/**
 * A control operator, a line break (`\n`), `()` after a function's name, or a `(` or `)` around commands.
 * The commands inside a substitution are heard between its `(` and `)`, before the word that holds it.
 * `;;` also stands for the end of a pattern of `case`, and `;` for the end of the script.
 */
export type SeparatorText = ';' | '&' | '&&' | '||' | '|' | ';;' | '\n' | '(' | ')' | '()'

/** What a guard wants to hear about a script, in the order of the text. */
export interface ScriptVisitor {
  word?(word: ScriptWord): void
  /** A redirection operator; `descriptor` is the number that touches it, or `''`. */
  redirect?(operator: string, descriptor: string, start: number): void
  /** `bodies`: here-documents stand between a line break and the next token. */
  separator?(text: SeparatorText, start: number, end: number, bodies: boolean): void
  /** A backslash and line break that POSIX removes, where the engine does not. */
  continuation?(at: number): void
  /** An unquoted `#` inside a word. */
  hash?(at: number): void
}
