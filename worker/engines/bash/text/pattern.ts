import { errorMessage } from '../../../service/error-message.ts'
import { PatternError } from './bracket.ts'
import { type Dialect, type Parsed, PatternReader } from './posix-pattern.ts'

/** A match: its groups, and where it begins in UTF-16. */
export interface Match {
  readonly index: number
  /** The match, then its groups. */
  readonly texts: readonly (string | undefined)[]
}

/** A regular expression of POSIX: of several alternatives that match at one place the longest one counts. */
export class Pattern {
  readonly #whole: RegExp
  /** The alternatives of the outermost level, each from its place on, with its groups at their numbers. */
  readonly #alternatives: readonly RegExp[]
  readonly groups: number

  constructor(whole: RegExp, alternatives: readonly RegExp[], groups: number) {
    this.#whole = whole
    this.#alternatives = alternatives
    this.groups = groups
  }

  test(text: string): boolean {
    this.#whole.lastIndex = 0
    return this.#whole.test(text)
  }

  /** The first match at or after an index. */
  find(text: string, from = 0): Match | undefined {
    this.#whole.lastIndex = from
    const found = this.#whole.exec(text)
    if (found === null) return undefined
    let best: readonly (string | undefined)[] = found
    for (const alternative of this.#alternatives) {
      alternative.lastIndex = found.index
      const other = alternative.exec(text)
      if (other !== null && other[0].length > (best[0] ?? '').length) best = other
    }
    return { index: found.index, texts: best }
  }

  /** All matches; an empty one never follows another one at once. */
  *all(text: string): Generator<Match> {
    let from = 0
    let end = -1
    while (from <= text.length) {
      const match = this.find(text, from)
      if (match === undefined) return
      const { length } = match.texts[0] ?? ''
      if (length > 0 || match.index !== end) yield match
      end = match.index + length
      from = length > 0 ? end : match.index + ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1)
    }
  }
}

/** The expression with what must stand around it. */
export const wrapped = (source: string, whole: Dialect['whole']): string =>
  whole === 'words' ? `(?<!\\w)(?:${source})(?!\\w)` : whole === 'text' ? `^(?:${source})$` : source

const FIXED_GROUP = /^\\[1-9]/

/** @throws {PatternError} where the expression is not well formed. */
export function compilePattern(text: string, dialect: Dialect): Pattern {
  const parsed = new PatternReader(text, dialect).read()
  const flags = `su${dialect.ignoreCase === true ? 'i' : ''}${dialect.multiline === true ? 'm' : ''}`
  try {
    return new Pattern(
      new RegExp(wrapped(parsed.source, dialect.whole), `${flags}g`),
      apart(parsed, flags, dialect.whole),
      parsed.groups,
    )
  } catch (error) {
    throw new PatternError(errorMessage(error))
  }
}

/** The alternatives as expressions of their own, where their order could matter. */
function apart({ alternatives, source, groups }: Parsed, flags: string, whole: Dialect['whole']): RegExp[] {
  if (alternatives.length < 2 || !/[*+?{([]/.test(source) || FIXED_GROUP.test(source)) return []
  return alternatives.map(
    (one) =>
      new RegExp(
        `${'()'.repeat(one.before)}${wrapped(`(?:${one.source})`, whole)}${'()'.repeat(groups - one.before - one.groups)}`,
        `${flags}y`,
      ),
  )
}
