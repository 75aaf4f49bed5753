import type {
  AnalyzedAssignment,
  AnalyzedCommand,
  AnalyzedRedirect,
  OpaquePart,
  ScriptAnalysis,
} from '../analysis.ts'

/** Commands, words and other parts of one script, at most. */
const MOST_PARTS = 50_000

/** Characters of expansions that are read, at most: each level of a nest is read again. */
const MOST_EXPANDED = 524_288

/** Takes down what a script says, within bounds. */
export class Collector {
  readonly #commands: AnalyzedCommand[] = []
  readonly #redirects: AnalyzedRedirect[] = []
  readonly #assignments: AnalyzedAssignment[] = []
  readonly #functions = new Set<string>()
  readonly #substitutions: string[] = []
  readonly #opaque: OpaquePart[] = []
  #parts = 0
  #expanded = 0

  command(command: AnalyzedCommand): void {
    this.#count(1 + command.args.length)
    this.#commands.push(Object.freeze({ ...command, args: Object.freeze([...command.args]) }))
  }

  redirect(redirect: AnalyzedRedirect): void {
    this.#count()
    this.#redirects.push(Object.freeze(redirect))
  }

  assignment(name: string, value: string | undefined): void {
    this.#count()
    this.#assignments.push(Object.freeze({ name, value }))
  }

  function(name: string): void {
    this.#count()
    this.#functions.add(name)
  }

  substitution(text: string): void {
    this.#count()
    this.#substitutions.push(text)
  }

  opaque(kind: OpaquePart['kind'], text: string): void {
    this.#count()
    this.#opaque.push(Object.freeze({ kind, text }))
  }

  /** Says that so many characters are read once more. @throws RangeError where it is too much */
  charge(characters: number): void {
    this.#expanded += characters
    if (this.#expanded > MOST_EXPANDED) throw new RangeError('The script nests too much.')
  }

  analysis(): ScriptAnalysis {
    return Object.freeze({
      parsed: true,
      commands: Object.freeze(this.#commands),
      redirects: Object.freeze(this.#redirects),
      assignments: Object.freeze(this.#assignments),
      functions: Object.freeze([...this.#functions]),
      substitutions: Object.freeze(this.#substitutions),
      opaque: Object.freeze(this.#opaque),
    })
  }

  #count(parts = 1): void {
    this.#parts += parts
    if (this.#parts > MOST_PARTS) throw new RangeError('The script has too many parts.')
  }
}
