import type { ScriptWord } from '../../guards/script-visitor.ts'

const OPENERS: ReadonlySet<string> = new Set(['if', 'while', 'until', 'for', 'case', '{'])
const CLOSERS: ReadonlySet<string> = new Set(['fi', 'done', 'esac', '}'])
/** Words after which the engine ignores a line break, also if they are arguments. */
const SWALLOWERS: ReadonlySet<string> = new Set(['in', 'do', 'then', 'else', 'elif', '{', '!'])
/** Words that end the command that a compound command is piped into, also if they are arguments. */
const RESERVED: ReadonlySet<string> = new Set([
  'then',
  'elif',
  'else',
  'fi',
  'do',
  'done',
  '{',
  '}',
  'esac',
  ';;',
])

/**
 * Follows the compound commands of a script, to find where the engine reads words and lines differently than the lexer.
 * Each method returns whether both still read the same.
 */
export class Structure {
  readonly #text: string
  #depth = 0
  #hasCase = false
  /** The next word is a name or the word of a `case`, not a keyword. */
  #named = false
  /** The last word hides a line break after it. */
  #swallows = false
  /** A compound command is piped into this command. */
  #inTail = false
  /** Here-documents that begin on this line; `open`: one has a body that is expanded. */
  #documents = 0
  #open = false

  constructor(text: string) {
    this.#text = text
  }

  word({ start, end, plain, role }: ScriptWord): boolean {
    if (role === 'other') {
      this.#swallows = false
      this.#keyword(plain)
      return true
    }
    this.#named = false
    const bare = plain ?? this.#unescaped(start, end)
    this.#swallows = SWALLOWERS.has(bare)
    return !(this.#inTail && role === 'argument' && RESERVED.has(bare))
  }

  /** The delimiter of a here-document. Of the quoted forms the engine reads only this one correctly. */
  delimiter({ start, end, plain }: ScriptWord): boolean {
    this.#documents++
    if (plain !== null) this.#open = true
    const literal = plain === null ? /^'[^'\n]+'$/.test(this.#text.slice(start, end)) : !plain.startsWith('~')
    return literal && this.#documents === 1 && this.#depth === 0 && !this.#hasCase
  }

  /** @param dangling - a pipe waits for its next command. */
  newline(bodies: boolean, dangling: boolean): boolean {
    const sure = !this.#swallows && (!bodies || (this.#depth === 0 && !this.#hasCase && !dangling))
    this.#swallows = false
    this.#inTail = false
    this.#documents = 0
    return sure
  }

  /** A pipe. `compound`: the command before it is not a simple command. */
  pipe(compound: boolean): void {
    this.#inTail ||= compound
    this.#swallows = false
  }

  /** Another operator. */
  operator(): void {
    this.#inTail = false
    this.#swallows = false
  }

  enter(): void {
    this.#depth++
  }

  leave(): void {
    this.#depth--
  }

  /** Commands may run in the body of a here-document that begins before `from`. */
  runsInBody(from: number): boolean {
    if (!this.#open) return false
    this.#open = false
    return this.#text.includes('`', from) || this.#text.includes('$(', from)
  }

  #keyword(plain: string | null): void {
    const named = this.#named
    this.#named = false
    if (named || plain === null) return
    if (OPENERS.has(plain)) this.#depth++
    else if (CLOSERS.has(plain)) this.#depth--
    this.#named = plain === 'for' || plain === 'case'
    if (plain === 'case') this.#hasCase = true
  }

  #unescaped(start: number, end: number): string {
    return end - start > 10 ? '' : this.#text.slice(start, end).replaceAll('\\', '')
  }
}
