import { globPattern } from '../text/glob.ts'
import { withoutSlashes } from '../text/slashes.ts'

/** Whether a name, or a directory that it is in, is what a pattern of `--exclude` says, or ends like it behind a `/`. */
export function excluding(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map((pattern) => globPattern(pattern.replace(/\/$/, '')))
  return (name) => {
    const parts = withoutSlashes(name).split('/')
    return expressions.some((expression) =>
      parts.some((_, from) =>
        parts.some((_part, to) => to >= from && expression.test(parts.slice(from, to + 1).join('/'))),
      ),
    )
  }
}

/** The names that were asked for, each with whether a member had it. */
export class Wanted {
  readonly #names: { readonly text: string; readonly expression: RegExp | undefined; found: boolean }[]

  constructor(names: readonly string[], wildcards: boolean) {
    this.#names = names.map((name) => {
      const text = name.replace(/(?<=.)\/+$/, '')
      const isPattern = wildcards && /[*?[]/.test(text)
      return { text, expression: isPattern ? globPattern(text) : undefined, found: false }
    })
  }

  /** Without names all are wanted. */
  has(member: string): boolean {
    if (this.#names.length === 0) return true
    const name = member.replace(/(?<=.)\/+$/, '')
    const matching = this.#names.filter(
      ({ text, expression }) =>
        name === text ||
        name.startsWith(`${text}/`) ||
        (expression !== undefined && matches(expression, name)),
    )
    for (const one of matching) one.found = true
    return matching.length > 0
  }

  get missing(): string[] {
    return this.#names.filter(({ found }) => !found).map(({ text }) => text)
  }
}

/** A pattern names what is below a directory, too. */
const matches = (expression: RegExp, name: string): boolean =>
  name.split('/').some((_, at, parts) => expression.test(parts.slice(0, at + 1).join('/')))
