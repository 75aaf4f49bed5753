import { compilePattern, type Match, type Pattern } from '../text/pattern.ts'
import { compilePerl } from '../text/perl-pattern.ts'
import type { GrepOptions } from './options.ts'

/** Text without a character that is special in any dialect. */
const PLAIN = /^[\w /:,;='"@%&<>~!-]*$/

/** What several patterns match together: the first match, of those at one place the longest one. */
export class Matcher {
  readonly #patterns: readonly Pattern[]
  /** The patterns, where each is a text that matches itself alone. */
  readonly #plain: readonly string[] | undefined

  /** @throws {PatternError} */
  constructor(patterns: readonly string[], { kind, flags }: GrepOptions) {
    const ignoreCase = flags.has('i')
    this.#plain = !ignoreCase && patterns.every((pattern) => PLAIN.test(pattern)) ? patterns : undefined
    const whole = flags.has('x') ? 'text' : flags.has('w') ? 'words' : undefined
    if (kind === 'perl') {
      this.#patterns = patterns.map((pattern) => compilePerl(pattern, ignoreCase, whole))
      return
    }
    const texts = kind === 'fixed' ? fixed(patterns) : patterns
    const syntax = kind === 'basic' ? 'basic' : 'extended'
    this.#patterns = texts.map((text) => compilePattern(text, { syntax, program: 'grep', ignoreCase, whole }))
  }

  /** False where no line of a text can match. */
  canMatch(text: string): boolean {
    return this.#plain?.some((pattern) => text.includes(pattern)) ?? true
  }

  test(line: string): boolean {
    return this.#patterns.some((pattern) => pattern.test(line))
  }

  /** The matches that are not empty. */
  *matches(line: string): Generator<{ index: number; text: string }> {
    let from = 0
    while (from < line.length) {
      let best: Match | undefined
      for (const pattern of this.#patterns) {
        const found = firstFull(pattern, line, from)
        if (found === undefined) continue
        const isBetter =
          best === undefined ||
          found.index < best.index ||
          (found.index === best.index && (found.texts[0] ?? '').length > (best.texts[0] ?? '').length)
        if (isBetter) best = found
      }
      if (best === undefined) return
      const text = best.texts[0] ?? ''
      yield { index: best.index, text }
      from = best.index + text.length
    }
  }
}

function firstFull(pattern: Pattern, line: string, start: number): Match | undefined {
  let from = start
  while (from <= line.length) {
    const found = pattern.find(line, from)
    if (found === undefined) return undefined
    if ((found.texts[0] ?? '') !== '') return found
    from = found.index + 1
  }
  return undefined
}

/** Texts as one expression, the longest one first. */
function fixed(texts: readonly string[]): string[] {
  if (texts.length === 0) return []
  const sorted = [...new Set(texts)].sort((left, right) => right.length - left.length)
  return [sorted.map((text) => text.replaceAll(/[\^$\\.*+?()[\]{}|]/g, '\\$&')).join('|')]
}
