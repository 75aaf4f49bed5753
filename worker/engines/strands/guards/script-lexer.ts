import type { Step } from './command-list.ts'
import { CommandList } from './command-list.ts'
import type { HereDocument } from './here-document.ts'
import { parseDelimiter, skipBody } from './here-document.ts'
import type { ScriptVisitor, SeparatorText } from './script-visitor.ts'

/** Double quotes, `${ }` or `$(( ))`; `quoted`: inside double quotes. */
interface Enclosure {
  readonly kind: '"' | '{' | '(('
  readonly quoted: boolean
  /** Open brackets of an arithmetic expansion. */
  depth: number
}

/** A list of commands and the word being read in it. */
interface Scope {
  readonly kind: 'list'
  readonly list: CommandList
  wordStart: number
  plain: boolean
}

const WORD = /[^ \t\n'"\\$`;&|<>()]+/y
const BLANKS = /[ \t]+/y
const OPERATOR = /&&|\|\||;;|[;&|]/y
const REDIRECT = /<<-|<<|<>|<&|>>|>&|>\||[<>]/y
const EMPTY_BRACKETS = /\([ \t]*\)/y
/** Parameters named by a sign. */
const SPECIAL = /^[#?*@!$-]/
const ASSIGNMENT = /[A-Za-z_][A-Za-z_0-9]*=/y
const INERT: Readonly<Record<Enclosure['kind'], RegExp>> = {
  '"': /[^"\\$`]+/y,
  '{': /[^}'"\\$`]+/y,
  '((': /[^()'"\\$`]+/y,
}

/** Thrown inside the lexer only: the text is not certain to mean what it seems to. */
class Unsure extends Error {}

/**
 * Reads shell text in one pass, without recursion and linear in its length, and tells `visitor` about the
 * commands in it, those inside `$( )` too. Quotes, comments, here-documents, backquotes, `${ }` and
 * arithmetic are passed over.
 *
 * @returns false for text that is unbalanced or whose reading is not certain: what the visitor heard is
 * then worth nothing.
 */
export function lexScript(text: string, visitor: ScriptVisitor): boolean {
  try {
    new Lexer(text, visitor).run()
    return true
  } catch (error) {
    if (error instanceof Unsure) return false
    throw error
  }
}

class Lexer {
  readonly #text: string
  readonly #visitor: ScriptVisitor
  readonly #stack: (Scope | Enclosure)[] = []
  #at = 0
  /** Command substitutions around this place. */
  #substitutions = 0
  #documents: HereDocument[] = []
  #documentsIn = 0

  constructor(text: string, visitor: ScriptVisitor) {
    this.#text = text
    this.#visitor = visitor
  }

  run(): void {
    this.#open('script')
    while (this.#at < this.#text.length) {
      const top = this.#stack[this.#stack.length - 1]
      if (top === undefined) throw new Unsure()
      if (top.kind !== 'list') this.#inEnclosure(top)
      else if (top.wordStart >= 0) this.#inWord(top)
      else this.#betweenWords(top)
    }
    const last = this.#stack[this.#stack.length - 1]
    if (last?.kind !== 'list') throw new Unsure()
    if (last.wordStart >= 0) this.#endWord(last)
    this.#sure(last.list.separator('\n') !== 'unsure')
    this.#sure(this.#stack.length === 1 && this.#documents.length === 0)
    this.#visitor.separator?.(';', this.#at, this.#at, false)
  }

  #betweenWords(scope: Scope): void {
    const { list } = scope
    const text = this.#text
    switch (text[this.#at]) {
      case ' ':
      case '\t':
        this.#match(BLANKS)
        return
      case '\n':
        this.#newline(list)
        return
      case '#': {
        const end = text.indexOf('\n', this.#at)
        this.#at = end < 0 ? text.length : end
        return
      }
      case ';':
      case '&':
      case '|': {
        const start = this.#at
        const operator = this.#match(OPERATOR) as SeparatorText
        this.#apply(list.separator(operator), scope)
        this.#visitor.separator?.(operator, start, this.#at, false)
        return
      }
      case '<':
      case '>':
        this.#redirect(list, '')
        return
      case '(':
        this.#openBracket(list)
        return
      case ')':
        this.#closeBracket(list)
        return
      case '\\':
        if (text[this.#at + 1] === '\n') {
          this.#continuation()
          return
        }
    }
    scope.wordStart = this.#at
    scope.plain = true
  }

  #inWord(scope: Scope): void {
    const text = this.#text
    this.#plainText()
    const next = text[this.#at]
    switch (next) {
      case "'":
        this.#singleQuotes()
        break
      case '"':
        this.#enclose('"', false)
        break
      case '\\':
        if (text[this.#at + 1] === '\n') this.#continuation()
        else this.#escape()
        break
      case '$':
        // The engine and POSIX differ on $'...'.
        this.#sure(text[this.#at + 1] !== "'")
        this.#dollar(false)
        break
      case '`':
        this.#backquotes()
        break
      default:
        this.#endWord(scope)
        return
    }
    scope.plain = false
  }

  #plainText(): void {
    const from = this.#at
    const chunk = this.#match(WORD)
    for (let hash = chunk.indexOf('#'); hash >= 0; hash = chunk.indexOf('#', hash + 1)) {
      this.#visitor.hash?.(from + hash)
    }
  }

  #endWord(scope: Scope): void {
    const { list, wordStart: start, plain: isPlain } = scope
    const end = this.#at
    const plain = isPlain ? this.#text.slice(start, end) : null
    scope.wordStart = -1
    const next = this.#text[end]
    if ((next === '<' || next === '>') && plain !== null && /^\d+$/.test(plain)) {
      this.#redirect(list, plain)
      return
    }
    if (list.wanted !== null) {
      const role = list.wanted === 'target' ? 'target' : 'delimiter'
      if (role === 'delimiter') this.#document(start, end, list.wanted === 'tabbed-delimiter')
      list.wanted = null
      this.#visitor.word?.({ start, end, plain, role, unaliased: false })
      return
    }
    ASSIGNMENT.lastIndex = start
    const step = list.word(plain, ASSIGNMENT.test(this.#text))
    const unaliased = list.role === 'command' && (list.unaliased || this.#substitutions > 0)
    this.#visitor.word?.({ start, end, plain, role: list.role, unaliased })
    this.#apply(step, scope)
  }

  #document(start: number, end: number, tabs: boolean): void {
    const document = parseDelimiter(this.#text.slice(start, end), tabs)
    if (document === null) throw new Unsure()
    this.#sure(this.#documents.length === 0 || this.#documentsIn === this.#substitutions)
    this.#documents.push(document)
    this.#documentsIn = this.#substitutions
  }

  #redirect(list: CommandList, descriptor: string): void {
    const start = this.#at - descriptor.length
    const operator = this.#match(REDIRECT)
    // Process substitution.
    this.#sure(this.#text[this.#at] !== '(')
    const wanted = operator === '<<' ? 'delimiter' : operator === '<<-' ? 'tabbed-delimiter' : 'target'
    this.#sure(list.redirect(wanted) !== 'unsure')
    this.#visitor.redirect?.(operator, descriptor, start)
  }

  #newline(list: CommandList): void {
    const start = this.#at
    const bodies = this.#documents.length > 0
    this.#sure(list.separator('\n') !== 'unsure' && (!bodies || this.#documentsIn === this.#substitutions))
    this.#at++
    const heard = (at: number) => this.#visitor.continuation?.(at)
    for (const document of this.#documents) this.#at = skipBody(this.#text, this.#at, document, heard)
    if (bodies) this.#documents = []
    this.#visitor.separator?.('\n', start, start + 1, bodies)
  }

  #openBracket(list: CommandList): void {
    const start = this.#at
    EMPTY_BRACKETS.lastIndex = start
    if (EMPTY_BRACKETS.test(this.#text) && list.define()) {
      this.#at = EMPTY_BRACKETS.lastIndex
      this.#visitor.separator?.('()', start, this.#at, false)
      return
    }
    const commands = list.open()
    this.#sure(commands !== false)
    this.#at++
    if (commands === null) return
    this.#open('group')
    this.#visitor.separator?.('(', start, this.#at, false)
  }

  #closeBracket(list: CommandList): void {
    const start = this.#at
    const closed = list.close()
    this.#sure(closed !== 'unsure')
    this.#at++
    if (closed === 'end') {
      this.#stack.pop()
      if (list.kind === 'substitution') {
        this.#sure(this.#documents.length === 0 || this.#documentsIn < this.#substitutions)
        this.#substitutions--
      } else this.#parentList().closed()
    }
    this.#visitor.separator?.(closed === 'end' ? ')' : ';;', start, this.#at, false)
  }

  #inEnclosure(top: Enclosure): void {
    this.#match(INERT[top.kind])
    const text = this.#text
    switch (text[this.#at]) {
      case undefined:
        throw new Unsure()
      case '"':
        if (top.kind === '"') this.#leave()
        else this.#enclose('"', true)
        return
      case '\\':
        if (!top.quoted && text[this.#at + 1] === '\n') this.#continuation()
        else this.#escape()
        return
      case '$':
        this.#dollar(top.quoted)
        return
      case '`':
        this.#backquotes()
        return
      case '}':
        this.#leave()
        return
      case "'":
        // Inside double quotes shells differ on whether these quote.
        this.#sure(top.kind === '{' && !top.quoted)
        this.#singleQuotes()
        return
      case '(':
        top.depth++
        this.#at++
        return
      case ')':
        if (top.depth-- > 0) this.#at++
        else {
          this.#sure(text[this.#at + 1] === ')')
          this.#at++
          this.#leave()
        }
    }
  }

  #dollar(quoted: boolean): void {
    const text = this.#text
    if (text[this.#at + 1] === '{') this.#enclose('{', quoted, 2)
    else if (text.startsWith('((', this.#at + 1)) this.#enclose('((', quoted, 3)
    else if (text[this.#at + 1] === '(') {
      this.#visitor.separator?.('(', this.#at, this.#at + 2, false)
      this.#at += 2
      this.#substitutions++
      this.#open('substitution')
    } else this.#at += SPECIAL.test(text[this.#at + 1] ?? '') ? 2 : 1
  }

  #enclose(kind: Enclosure['kind'], quoted: boolean, width = 1): void {
    this.#at += width
    this.#stack.push({ kind, quoted: quoted || kind === '"', depth: 0 })
  }

  #leave(): void {
    this.#at++
    this.#stack.pop()
  }

  #singleQuotes(): void {
    const end = this.#text.indexOf("'", this.#at + 1)
    this.#sure(end >= 0)
    this.#at = end + 1
  }

  #backquotes(): void {
    const text = this.#text
    let at = this.#at + 1
    while (text[at] !== '`') {
      this.#sure(at < text.length)
      at += text[at] === '\\' ? 2 : 1
    }
    this.#at = at + 1
  }

  #escape(): void {
    this.#at += 2
    this.#sure(this.#at <= this.#text.length)
  }

  #continuation(): void {
    this.#visitor.continuation?.(this.#at)
    this.#at += 2
  }

  #apply(step: Step, scope: Scope): void {
    this.#sure(step !== 'unsure')
    if (step === 'open-case') this.#open('case')
    if (step === 'close-case') {
      this.#sure(scope.list.kind === 'case')
      this.#stack.pop()
    }
  }

  #open(kind: CommandList['kind']): void {
    this.#stack.push({ kind: 'list', list: new CommandList(kind), wordStart: -1, plain: true })
  }

  #parentList(): CommandList {
    const top = this.#stack[this.#stack.length - 1]
    if (top?.kind !== 'list') throw new Unsure()
    return top.list
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #sure(sure: boolean): void {
    if (!sure) throw new Unsure()
  }
}
