import type { SeparatorText, WordRole } from './script-visitor.ts'

/** Where a list of commands stands: what its next word is. */
type Place =
  | 'start'
  | 'prefixed'
  | 'arguments'
  | 'after'
  | 'for-name'
  | 'for-in'
  | 'for-words'
  | 'subject'
  | 'case-in'
  | 'pattern'

const OPENERS: ReadonlySet<string> = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{', '!'])
const CLOSERS: ReadonlySet<string> = new Set(['fi', 'done', '}'])
/** Words of other shells, after which this reading would be a guess. */
const FOREIGN: ReadonlySet<string> = new Set(['[[', 'function', 'select', 'coproc', 'time'])
const LONGEST_KEYWORD = 8

/** What a word or operator did to the list: nothing, opened or closed a `case`, or made no sense. */
export type Step = 'stay' | 'open-case' | 'close-case' | 'unsure'

/** The grammar of one list of commands, as far as it says which words name commands. */
export class CommandList {
  readonly kind: 'script' | 'group' | 'substitution' | 'case'
  #place: Place
  /** What the last redirection operator waits for. */
  wanted: 'target' | 'delimiter' | 'tabbed-delimiter' | null = null
  /** The last token was the name of a command: `()` may follow. */
  #named = false
  /** The last token was the `)` of a pattern. */
  #matched = false
  role: WordRole = 'other'
  unaliased = false

  constructor(kind: CommandList['kind']) {
    this.kind = kind
    this.#place = kind === 'case' ? 'pattern' : 'start'
  }

  /** Takes a word; sets `role` and `unaliased` to what it is. */
  word(plain: string | null, isAssignment: boolean): Step {
    const matched = this.#matched
    this.#named = false
    this.#matched = false
    this.unaliased = false
    this.role = 'other'
    switch (this.#place) {
      case 'start':
      case 'prefixed':
        return this.#first(plain, isAssignment, matched)
      case 'arguments':
        this.role = 'argument'
        return 'stay'
      case 'for-name':
        return this.#move('for-in')
      case 'for-in':
        if (plain === 'in') return this.#move('for-words')
        return plain === 'do' ? this.#move('start') : 'unsure'
      case 'subject':
        return this.#move('case-in')
      case 'case-in':
        this.#place = 'after'
        return plain === 'in' ? 'open-case' : 'unsure'
      case 'pattern':
        return plain === 'esac' ? 'close-case' : 'stay'
      case 'for-words':
        this.role = 'item'
        return 'stay'
      case 'after':
        return 'unsure'
    }
  }

  #first(plain: string | null, isAssignment: boolean, matched: boolean): Step {
    const prefixed = this.#place === 'prefixed'
    if (!prefixed && plain !== null && plain.length <= LONGEST_KEYWORD) {
      if (OPENERS.has(plain)) return 'stay'
      if (CLOSERS.has(plain)) return this.#move('after')
      if (plain === 'for') return this.#move('for-name')
      if (plain === 'case') return this.#move('subject')
      if (plain === 'esac') return this.kind === 'case' ? 'close-case' : 'unsure'
      if (FOREIGN.has(plain)) return 'unsure'
    }
    if (isAssignment) {
      this.role = 'assignment'
      return this.#move('prefixed')
    }
    this.role = 'command'
    this.unaliased = prefixed || matched
    this.#named = true
    return this.#move('arguments')
  }

  /** A redirection operator begins. */
  redirect(wanted: Exclude<CommandList['wanted'], null>): Step {
    this.#named = false
    this.#matched = false
    if (this.wanted !== null) return 'unsure'
    if (!['start', 'prefixed', 'arguments', 'after'].includes(this.#place)) return 'unsure'
    if (this.#place === 'start') this.#place = 'prefixed'
    this.wanted = wanted
    return 'stay'
  }

  /** An operator between commands; brackets come by `open`, `close` and `define`. */
  separator(text: SeparatorText): Step {
    this.#named = false
    this.#matched = false
    if (this.wanted !== null) return 'unsure'
    const place = this.#place
    if (text === '\n') {
      if (place === 'for-name' || place === 'subject') return 'unsure'
      return place === 'for-in' || place === 'case-in' || place === 'pattern' ? 'stay' : this.#move('start')
    }
    if (place === 'pattern') return text === '|' ? 'stay' : 'unsure'
    if (text === ';;') return this.kind === 'case' ? this.#move('pattern') : 'unsure'
    if (place === 'for-in' || place === 'for-words') return text === ';' ? this.#move('start') : 'unsure'
    return place === 'for-name' || place === 'subject' || place === 'case-in' ? 'unsure' : this.#move('start')
  }

  /** A `(`: true if commands follow in a list of their own; null if it belongs to a pattern. */
  open(): boolean | null {
    if (this.wanted !== null) return false
    if (this.#place === 'pattern') return null
    return this.#place === 'start'
  }

  /** `()`: true if it defines a function. */
  define(): boolean {
    if (!this.#named) return false
    this.#named = false
    this.#place = 'start'
    return true
  }

  /** A `)`: the end of this list, or of a pattern, or out of place. */
  close(): 'end' | 'matched' | 'unsure' {
    if (this.wanted !== null) return 'unsure'
    if (this.#place === 'pattern') {
      this.#place = 'start'
      this.#matched = true
      return 'matched'
    }
    const whole = ['start', 'prefixed', 'arguments', 'after'].includes(this.#place)
    return whole && (this.kind === 'group' || this.kind === 'substitution') ? 'end' : 'unsure'
  }

  /** A list in brackets ended here. */
  closed(): void {
    this.#place = 'after'
  }

  #move(place: Place): Step {
    this.#place = place
    return 'stay'
  }
}
