import { AwkError, type Token } from './lexer.ts'
import { constant, type Node, node } from './nodes.ts'
import { toNumber } from './values.ts'

const ASSIGN = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^=', '**='])
const COMPARE = new Set(['<', '<=', '==', '!=', '>', '>='])
const LAST: Token = { kind: 'end', text: 'the end of the program', line: 0 }

const isTarget = ({ kind }: Node) => kind === 'variable' || kind === 'field' || kind === 'element'

/** Reads expressions, from the weakest operator to the strongest. */
export class ExpressionParser {
  readonly #tokens: readonly Token[]
  protected position = 0
  /** Parameters of the function that is read, by name. */
  protected locals: ReadonlyMap<string, number> = new Map()
  /** Functions that are called. */
  protected readonly called = new Set<string>()
  /** Inside `print` without parentheses `>` is no comparison. */
  #inPrint = false

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  protected peek(): Token {
    return this.#tokens[this.position] ?? LAST
  }

  protected get kind(): Token['kind'] {
    return this.peek().kind
  }

  protected ahead(count: number): readonly Token[] {
    return this.#tokens.slice(this.position, this.position + count)
  }

  protected next(): Token {
    const token = this.peek()
    this.position += 1
    return token
  }

  protected isMark(text: string): boolean {
    const token = this.peek()
    return token.kind === 'mark' && token.text === text
  }

  protected isWord(text: string): boolean {
    const token = this.peek()
    return token.kind === 'word' && token.text === text
  }

  protected isEnd(): boolean {
    return this.kind === 'newline' || this.isMark(';') || this.isMark('}')
  }

  protected expectMark(text: string): void {
    if (!this.isMark(text)) this.wrong()
    this.next()
  }

  protected skipNewlines(): void {
    while (this.kind === 'newline') this.next()
  }

  protected wrong(token: Token = this.peek()): never {
    const text = token.kind === 'newline' ? 'the end of the line' : token.text
    throw new AwkError(`line ${token.line}: syntax error near ${text}`, 1)
  }

  protected variable(name: string): Node {
    return node('variable', [], name, this.locals.get(name) ?? -1)
  }

  /** `[a, b]` */
  protected subscripts(): Node[] {
    this.expectMark('[')
    const found = this.#list(']')
    this.expectMark(']')
    return found
  }

  /** Expressions up to a closing mark, which is not read. */
  #list(close: string): Node[] {
    const before = this.#inPrint
    this.#inPrint = false
    const found: Node[] = []
    this.skipNewlines()
    while (!this.isMark(close)) {
      found.push(this.expression())
      this.skipNewlines()
      if (!this.isMark(',')) break
      this.next()
      this.skipNewlines()
    }
    this.#inPrint = before
    return found
  }

  /** What `print` prints. */
  protected printed(): Node[] {
    if (this.#isWholeGroup()) {
      this.next()
      const found = this.#list(')')
      this.expectMark(')')
      return found
    }
    const found: Node[] = []
    this.#inPrint = true
    while (!this.isEnd() && !['>', '>>', '|'].some((mark) => this.isMark(mark))) {
      found.push(this.expression())
      if (!this.isMark(',')) break
      this.next()
      this.skipNewlines()
    }
    this.#inPrint = false
    return found
  }

  /** Whether a parenthesis here closes at the end of the statement or before where it is printed to. */
  #isWholeGroup(): boolean {
    if (!this.isMark('(')) return false
    let depth = 0
    for (let at = this.position; at < this.#tokens.length; at += 1) {
      const { kind, text } = this.#tokens[at] ?? LAST
      if (kind === 'mark' && text === '(') depth += 1
      if (kind === 'mark' && text === ')') depth -= 1
      if (depth > 0) continue
      const after = this.#tokens[at + 1] ?? LAST
      return (
        after.kind === 'newline' || after.kind === 'end' || ['>', '>>', '|', ';', '}'].includes(after.text)
      )
    }
    return false
  }

  expression(): Node {
    const condition = this.#or()
    if (!this.isMark('?')) return condition
    this.next()
    this.skipNewlines()
    const yes = this.expression()
    this.skipNewlines()
    this.expectMark(':')
    this.skipNewlines()
    return node('condition', [condition, yes, this.expression()])
  }

  #or(): Node {
    let left = this.#and()
    while (this.isMark('||')) {
      this.next()
      this.skipNewlines()
      left = node('or', [left, this.#and()])
    }
    return left
  }

  #and(): Node {
    let left = this.#in()
    while (this.isMark('&&')) {
      this.next()
      this.skipNewlines()
      left = node('and', [left, this.#in()])
    }
    return left
  }

  #in(): Node {
    let left = this.#match()
    while (this.isWord('in')) left = this.#inArray([left])
    return left
  }

  #inArray(subscripts: readonly Node[]): Node {
    this.next()
    const array = this.next()
    if (array.kind !== 'name') this.wrong(array)
    return node('in', [this.variable(array.text), ...subscripts])
  }

  #match(): Node {
    let left = this.#compare()
    while (this.isMark('~') || this.isMark('!~')) {
      const { text } = this.next()
      left = node('match', [left, this.#compare()], text)
    }
    return left
  }

  #compare(): Node {
    const left = this.#piped()
    const { kind, text } = this.peek()
    if (kind !== 'mark' || !COMPARE.has(text) || (text === '>' && this.#inPrint)) return left
    this.next()
    return node('compare', [left, this.#piped()], text)
  }

  /** `command | getline [target]` */
  #piped(): Node {
    let left = this.concatenation()
    for (;;) {
      const [pipe, word] = this.ahead(2)
      if (pipe?.text !== '|' || pipe.kind !== 'mark' || word?.kind !== 'word' || word.text !== 'getline')
        return left
      this.next()
      this.next()
      left = node('getline', [left, ...this.#optionalTarget()], '|')
    }
  }

  protected concatenation(): Node {
    let left = this.#sum()
    while (this.#beginsValue()) left = node('concat', [left, this.#sum()])
    return left
  }

  #beginsValue(): boolean {
    const { kind, text } = this.peek()
    if (kind === 'mark') return ['$', '!', '(', '-', '+', '++', '--'].includes(text)
    return ['number', 'string', 'regex', 'name', 'call', 'builtin'].includes(kind)
  }

  #sum(): Node {
    let left = this.#product()
    while (this.isMark('+') || this.isMark('-')) {
      const { text } = this.next()
      left = node('binary', [left, this.#product()], text)
    }
    return left
  }

  #product(): Node {
    let left = this.#unary()
    while (this.isMark('*') || this.isMark('/') || this.isMark('%')) {
      const { text } = this.next()
      left = node('binary', [left, this.#unary()], text)
    }
    return left
  }

  #unary(): Node {
    const kinds = { '!': 'not', '-': 'minus', '+': 'plus' } as const
    for (const mark of ['!', '-', '+'] as const)
      if (this.isMark(mark)) {
        this.next()
        return node(kinds[mark], [this.#unary()])
      }
    return this.#power()
  }

  #power(): Node {
    const base = this.primary()
    if (!this.isMark('^') && !this.isMark('**')) return base
    this.next()
    // To the right a sign may follow: 2 ^ -1. The operator groups from the right.
    return node('binary', [base, this.#exponent()], '^')
  }

  #exponent(): Node {
    for (const [mark, kind] of [
      ['-', 'minus'],
      ['+', 'plus'],
      ['!', 'not'],
    ] as const)
      if (this.isMark(mark)) {
        this.next()
        return node(kind, [this.#exponent()])
      }
    return this.#power()
  }

  /** A value with what is attached to it: `x++`, `x = 1`. */
  protected primary(): Node {
    const value = this.#atom()
    if (!isTarget(value)) return value
    const { kind, text } = this.peek()
    if (kind !== 'mark') return value
    if (text === '++' || text === '--') {
      this.next()
      return node('after', [value], text)
    }
    if (!ASSIGN.has(text)) return value
    this.next()
    this.skipNewlines()
    return node('assign', [value, this.expression()], text === '**=' ? '^' : text.slice(0, -1))
  }

  #atom(): Node {
    const token = this.next()
    switch (token.kind) {
      case 'number':
        return constant(/^0[xX]/.test(token.text) ? Number(token.text) : toNumber(token.text))
      case 'string':
        return constant(token.text)
      case 'regex':
        return node('regex', [], token.text)
      case 'name':
        if (!this.isMark('[')) return this.variable(token.text)
        return node('element', [this.variable(token.text), ...this.subscripts()])
      case 'call': {
        const values = this.#arguments()
        this.called.add(token.text)
        return node('call', values, token.text)
      }
      case 'builtin':
        if (this.isMark('(')) return node('builtin', this.#arguments(), token.text)
        if (token.text !== 'length') this.wrong()
        return node('builtin', [], 'length')
      case 'word':
        if (token.text !== 'getline') this.wrong(token)
        return this.#getline()
      case 'mark':
        return this.#marked(token)
      default:
        return this.wrong(token)
    }
  }

  #arguments(): Node[] {
    this.expectMark('(')
    const values = this.#list(')')
    this.expectMark(')')
    return values
  }

  #marked(token: Token): Node {
    if (token.text === '$') return node('field', [this.#fieldNumber()])
    if (token.text === '++' || token.text === '--') {
      const target = this.#atom()
      if (!isTarget(target)) this.wrong()
      return node('before', [target], token.text)
    }
    if (token.text === '-' || token.text === '+' || token.text === '!') {
      this.position -= 1
      return this.#unary()
    }
    if (token.text !== '(') this.wrong(token)
    const values = this.#list(')')
    this.expectMark(')')
    const [only, ...others] = values
    if (only === undefined) this.wrong()
    if (others.length === 0) return node('group', [only])
    if (!this.isWord('in')) this.wrong()
    return this.#inArray(values)
  }

  /** What stands after `$`: a name, a number, a group, another `$`, or one of these after `++` or `-`. */
  #fieldNumber(): Node {
    if (this.isMark('-') || this.isMark('+') || this.isMark('!')) return this.#unary()
    return this.#atom()
  }

  #getline(): Node {
    const target = this.#optionalTarget()
    if (!this.isMark('<')) return node('getline', target)
    this.next()
    return node('getline', [this.primary(), ...target], '<')
  }

  #optionalTarget(): Node[] {
    const { kind, text } = this.peek()
    if (kind !== 'name' && !(kind === 'mark' && text === '$')) return []
    return [this.#atom()]
  }
}
