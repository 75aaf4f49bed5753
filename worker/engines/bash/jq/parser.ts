import { CompileError, Lexer, type Token } from './lexer.ts'
import type { Definition, Destructuring, Node } from './nodes.ts'

const IDENTITY: Node = { type: 'identity' }

/** Operators that bind more than `or`, weakest first. */
const LEVELS: readonly ReadonlySet<string>[] = [
  new Set(['==', '!=', '<', '<=', '>', '>=']),
  new Set(['+', '-']),
  new Set(['*', '/', '%']),
]

const ASSIGNS = new Set(['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='])

/** Reads a program. @throws {CompileError} */
export function parseProgram(text: string): Node {
  return new Parser(new Lexer(text).read()).program()
}

/** Reads definitions that stand before a program. */
export function parseDefinitions(text: string): Definition[] {
  return new Parser(new Lexer(text).read()).definitions()
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  program(): Node {
    const definitions = this.definitions()
    const body = this.#at < this.#tokens.length ? this.#pipe() : IDENTITY
    if (this.#at < this.#tokens.length) this.#unexpected()
    return definitions.reduceRight<Node>(
      (rest, definition) => ({ type: 'define', definition, body: rest }),
      body,
    )
  }

  definitions(): Definition[] {
    const found: Definition[] = []
    while (this.#isKeyword('def')) found.push(this.#definition())
    return found
  }

  #definition(): Definition {
    this.#keyword('def')
    const name = this.#word()
    const parameters: string[] = []
    if (this.#takes('(')) {
      do {
        const token = this.#tokens[this.#at]
        this.#at += 1
        if (token?.kind === 'variable') parameters.push(`$${token.text}`)
        else if (token?.kind === 'word' || token?.kind === 'keyword') parameters.push(token.text)
        else this.#unexpected(-1)
      } while (this.#takes(';'))
      this.#sign(')')
    }
    this.#sign(':')
    const body = this.#pipe()
    this.#sign(';')
    return { name, parameters, body }
  }

  #pipe(): Node {
    if (this.#isKeyword('def')) {
      const definition = this.#definition()
      return { type: 'define', definition, body: this.#pipe() }
    }
    if (this.#isKeyword('import') || this.#isKeyword('include'))
      throw new CompileError('modules are not known here')
    if (this.#isKeyword('label')) {
      this.#at += 1
      const name = this.#variable()
      this.#sign('|')
      return { type: 'label', name, body: this.#pipe() }
    }
    const left = this.#comma()
    return this.#takes('|') ? { type: 'pipe', left, right: this.#pipe() } : left
  }

  #comma(): Node {
    let left = this.#otherwise()
    while (this.#takes(',')) left = { type: 'comma', left, right: this.#otherwise() }
    return left
  }

  #otherwise(): Node {
    const left = this.#assignment()
    return this.#takes('//') ? { type: 'otherwise', left, right: this.#otherwise() } : left
  }

  #assignment(): Node {
    const left = this.#or()
    const operator = this.#signText()
    if (operator === undefined || !ASSIGNS.has(operator)) return left
    this.#at += 1
    return { type: 'assign', operator, left, right: this.#or() }
  }

  #or(): Node {
    let left = this.#and()
    while (this.#takesKeyword('or')) left = { type: 'or', left, right: this.#and() }
    return left
  }

  #and(): Node {
    let left = this.#binary(0)
    while (this.#takesKeyword('and')) left = { type: 'and', left, right: this.#binary(0) }
    return left
  }

  #binary(level: number): Node {
    const operators = LEVELS[level]
    if (operators === undefined) return this.#unary()
    let left = this.#binary(level + 1)
    for (;;) {
      const operator = this.#signText()
      if (operator === undefined || !operators.has(operator)) return left
      this.#at += 1
      left = { type: 'binary', operator, left, right: this.#binary(level + 1) }
      if (level === 0 && operators.has(this.#signText() ?? '')) this.#unexpected()
    }
  }

  #unary(): Node {
    if (this.#takes('-')) return { type: 'negative', body: this.#unary() }
    return this.#postfix(true)
  }

  /** @param binds - whether `as` may follow. */
  #postfix(binds: boolean): Node {
    let node = this.#term()
    for (;;) {
      const token = this.#tokens[this.#at]
      if (token?.kind === 'field') {
        this.#at += 1
        node = { type: 'index', target: node, key: { type: 'literal', value: token.text } }
      } else if (token?.kind === 'sign' && token.text === '.' && this.#follows('text')) {
        this.#at += 1
        node = { type: 'index', target: node, key: this.#term() }
      } else if (token?.kind === 'sign' && token.text === '.' && this.#follows('[')) this.#at += 1
      else if (this.#takes('[')) node = this.#bracket(node)
      else if (this.#takes('?')) node = { type: 'try', body: node, handler: undefined }
      else if (token?.kind === 'sign' && token.text === '?//') {
        this.#at += 1
        return {
          type: 'otherwise',
          left: { type: 'try', body: node, handler: undefined },
          right: this.#otherwise(),
        }
      } else if (binds && this.#takesKeyword('as')) {
        const patterns = this.#patterns()
        this.#sign('|')
        return { type: 'as', source: node, patterns, body: this.#pipe() }
      } else return node
    }
  }

  #follows(what: string): boolean {
    const token = this.#tokens[this.#at + 1]
    return token?.kind === what || (token?.kind === 'sign' && token.text === what)
  }

  #bracket(target: Node): Node {
    if (this.#takes(']')) return { type: 'each', target }
    if (this.#takes(':')) {
      const to = this.#pipe()
      this.#sign(']')
      return { type: 'slice', target, from: undefined, to }
    }
    const key = this.#pipe()
    if (!this.#takes(':')) {
      this.#sign(']')
      return { type: 'index', target, key }
    }
    const to = this.#signText() === ']' ? undefined : this.#pipe()
    this.#sign(']')
    return { type: 'slice', target, from: key, to }
  }

  #term(): Node {
    const token = this.#tokens[this.#at]
    this.#at += 1
    switch (token?.kind) {
      case 'number':
        return { type: 'literal', value: token.value }
      case 'text':
        return this.#text(token)
      case 'format':
        return { type: 'format', name: token.text }
      case 'field':
        return { type: 'index', target: IDENTITY, key: { type: 'literal', value: token.text } }
      case 'variable':
        if (token.text === '__loc__')
          return {
            type: 'literal',
            value: new Map<string, string | number>([
              ['file', '<top-level>'],
              ['line', 1],
            ]),
          }
        return { type: 'variable', name: token.text }
      case 'word':
        return this.#call(token.text)
      case 'keyword':
        return this.#construct(token.text)
      case 'sign':
        return this.#signTerm(token.text)
      default:
        return this.#unexpected(-1)
    }
  }

  #text({ format, parts }: Extract<Token, { kind: 'text' }>): Node {
    if (parts.length === 1) return { type: 'literal', value: typeof parts[0] === 'string' ? parts[0] : '' }
    return {
      type: 'text',
      format,
      parts: parts.map((part) => (typeof part === 'string' ? part : new Parser(part).program())),
    }
  }

  #signTerm(text: string): Node {
    switch (text) {
      case '.':
        if (this.#tokens[this.#at]?.kind === 'text')
          return { type: 'index', target: IDENTITY, key: this.#term() }
        return IDENTITY
      case '..':
        return { type: 'recurse' }
      case '(': {
        const inner = this.#pipe()
        this.#sign(')')
        return inner
      }
      case '[': {
        if (this.#takes(']')) return { type: 'array', body: undefined }
        const body = this.#pipe()
        this.#sign(']')
        return { type: 'array', body }
      }
      case '{':
        return this.#object()
      case '-':
        return { type: 'negative', body: this.#postfix(false) }
      default:
        return this.#unexpected(-1)
    }
  }

  #call(name: string): Node {
    if (name === 'break') return { type: 'break', name: this.#variable() }
    const args: Node[] = []
    if (this.#takes('(')) {
      do args.push(this.#pipe())
      while (this.#takes(';'))
      this.#sign(')')
    }
    return { type: 'call', name, args }
  }

  #construct(word: string): Node {
    switch (word) {
      case 'if':
        return this.#if()
      case 'try': {
        const body = this.#postfix(false)
        return { type: 'try', body, handler: this.#takesKeyword('catch') ? this.#postfix(false) : undefined }
      }
      case 'reduce':
      case 'foreach':
        return this.#fold(word)
      case 'def': {
        this.#at -= 1
        const definition = this.#definition()
        return { type: 'define', definition, body: this.#pipe() }
      }
      default:
        return this.#unexpected(-1)
    }
  }

  #if(): Node {
    const condition = this.#pipe()
    this.#keyword('then')
    const yes = this.#pipe()
    if (this.#takesKeyword('elif')) return { type: 'if', condition, yes, no: this.#if() }
    const no = this.#takesKeyword('else') ? this.#pipe() : undefined
    this.#keyword('end')
    return { type: 'if', condition, yes, no }
  }

  #fold(type: 'reduce' | 'foreach'): Node {
    const source = this.#postfix(false)
    this.#keyword('as')
    const pattern = this.#pattern()
    this.#sign('(')
    const start = this.#pipe()
    this.#sign(';')
    const update = this.#pipe()
    const extract = type === 'foreach' && this.#takes(';') ? this.#pipe() : undefined
    this.#sign(')')
    return type === 'reduce'
      ? { type, source, pattern, start, update }
      : { type, source, pattern, start, update, extract }
  }

  #object(): Node {
    const entries: { key: Node; value: Node }[] = []
    while (!this.#takes('}')) {
      entries.push(this.#entry())
      if (this.#takes(',')) continue
      this.#sign('}')
      break
    }
    return { type: 'object', entries }
  }

  #entry(): { key: Node; value: Node } {
    const token = this.#tokens[this.#at]
    if (token?.kind === 'variable') {
      const value = this.#term()
      return { key: { type: 'literal', value: token.text }, value }
    }
    const key = this.#key()
    if (this.#takes(':')) return { key, value: this.#objectValue() }
    return { key, value: { type: 'index', target: IDENTITY, key } }
  }

  /** A key of an object or of a pattern. */
  #key(): Node {
    const token = this.#tokens[this.#at]
    this.#at += 1
    if (token?.kind === 'word' || token?.kind === 'keyword') return { type: 'literal', value: token.text }
    if (token?.kind === 'text') return this.#text(token)
    if (token?.kind === 'sign' && token.text === '(') {
      const key = this.#pipe()
      this.#sign(')')
      return key
    }
    return this.#unexpected(-1)
  }

  #objectValue(): Node {
    const left = this.#otherwise()
    return this.#takes('|') ? { type: 'pipe', left, right: this.#objectValue() } : left
  }

  #patterns(): Destructuring[] {
    const found = [this.#pattern()]
    while (this.#takes('?//')) found.push(this.#pattern())
    return found
  }

  #pattern(): Destructuring {
    const token = this.#tokens[this.#at]
    if (token?.kind === 'variable') {
      this.#at += 1
      return { kind: 'variable', name: token.text }
    }
    if (this.#takes('[')) {
      const items: Destructuring[] = []
      do items.push(this.#pattern())
      while (this.#takes(','))
      this.#sign(']')
      return { kind: 'list', items }
    }
    this.#sign('{')
    const fields: Extract<Destructuring, { kind: 'fields' }>['fields'][number][] = []
    do {
      const named = this.#tokens[this.#at]
      if (named?.kind === 'variable') {
        this.#at += 1
        const value = this.#takes(':') ? this.#pattern() : undefined
        fields.push({ key: { type: 'literal', value: named.text }, variable: named.text, value })
      } else {
        const key = this.#key()
        this.#sign(':')
        fields.push({ key, variable: undefined, value: this.#pattern() })
      }
    } while (this.#takes(','))
    this.#sign('}')
    return { kind: 'fields', fields }
  }

  #signText(): string | undefined {
    const token = this.#tokens[this.#at]
    return token?.kind === 'sign' ? token.text : undefined
  }

  #takes(text: string): boolean {
    if (this.#signText() !== text) return false
    this.#at += 1
    return true
  }

  #sign(text: string): void {
    if (!this.#takes(text)) this.#unexpected()
  }

  #isKeyword(text: string): boolean {
    const token = this.#tokens[this.#at]
    return token?.kind === 'keyword' && token.text === text
  }

  #takesKeyword(text: string): boolean {
    if (!this.#isKeyword(text)) return false
    this.#at += 1
    return true
  }

  #keyword(text: string): void {
    if (!this.#takesKeyword(text)) this.#unexpected()
  }

  #word(): string {
    const token = this.#tokens[this.#at]
    this.#at += 1
    return token?.kind === 'word' || token?.kind === 'keyword' ? token.text : this.#unexpected(-1)
  }

  #variable(): string {
    const token = this.#tokens[this.#at]
    this.#at += 1
    return token?.kind === 'variable' ? token.text : this.#unexpected(-1)
  }

  #unexpected(offset = 0): never {
    const token = this.#tokens[this.#at + offset]
    const shown = token === undefined ? 'end of file' : 'text' in token ? `'${token.text}'` : token.kind
    throw new CompileError(`syntax error, unexpected ${shown}`)
  }
}
