import { ExpressionParser } from './expressions.ts'
import { AwkError, tokenize } from './lexer.ts'
import { type AwkProgram, type Definition, markWaits, type Node, node, type Rule } from './nodes.ts'

const EMPTY = node('empty')

/** Reads rules, functions and statements. */
class ProgramParser extends ExpressionParser {
  readonly #rules: Rule[] = []
  readonly #functions = new Map<string, Definition>()

  program(): AwkProgram {
    this.#skipEnds()
    while (this.kind !== 'end') {
      if (this.isWord('function')) this.#function()
      else this.#rules.push(this.#rule())
      this.#skipEnds()
    }
    for (const name of this.called)
      if (!this.#functions.has(name)) throw new AwkError(`function \`${name}' not defined`, 1)
    const program = { rules: this.#rules, functions: this.#functions }
    markWaits(program)
    return program
  }

  #skipEnds(): void {
    while (this.kind === 'newline' || this.isMark(';')) this.next()
  }

  #function(): void {
    this.next()
    const name = this.next()
    if (name.kind !== 'name' && name.kind !== 'call') this.wrong(name)
    this.expectMark('(')
    const parameters: string[] = []
    while (!this.isMark(')')) {
      this.skipNewlines()
      const parameter = this.next()
      if (parameter.kind !== 'name') this.wrong(parameter)
      parameters.push(parameter.text)
      if (this.isMark(',')) this.next()
      this.skipNewlines()
    }
    this.next()
    this.skipNewlines()
    if (this.#functions.has(name.text)) throw new AwkError(`function \`${name.text}' previously defined`, 1)
    this.locals = new Map(parameters.map((parameter, at) => [parameter, at]))
    this.#functions.set(name.text, { name: name.text, parameters, body: this.#block() })
    this.locals = new Map()
  }

  #rule(): Rule {
    if (this.isWord('BEGIN') || this.isWord('END')) {
      const kind = this.next().text === 'BEGIN' ? 'BEGIN' : 'END'
      if (!this.isMark('{')) throw new AwkError(`${kind} blocks must have an action part`, 1)
      return { kind, patterns: [], body: this.#block() }
    }
    if (this.isMark('{')) return { kind: 'always', patterns: [], body: this.#block() }
    const patterns = [this.expression()]
    if (this.isMark(',')) {
      this.next()
      this.skipNewlines()
      patterns.push(this.expression())
    }
    const body = this.isMark('{') ? this.#block() : undefined
    if (body === undefined && this.kind !== 'newline' && !this.isMark(';')) this.wrong()
    return { kind: patterns.length === 2 ? 'range' : 'pattern', patterns, body }
  }

  #block(): Node {
    this.expectMark('{')
    const statements: Node[] = []
    this.#skipEnds()
    while (!this.isMark('}')) {
      statements.push(this.#statement())
      this.#skipEnds()
    }
    this.next()
    return node('block', statements)
  }

  /** What `if`, `else`, `while` and `for` are followed by. */
  #body(): Node {
    this.skipNewlines()
    if (!this.isMark(';')) return this.#statement()
    this.next()
    return EMPTY
  }

  #end(): void {
    if (this.kind === 'newline' || this.isMark(';')) this.next()
    else if (!this.isMark('}')) this.wrong()
  }

  #condition(): Node {
    this.expectMark('(')
    const condition = this.expression()
    this.skipNewlines()
    this.expectMark(')')
    return condition
  }

  #statement(): Node {
    if (this.isMark('{')) return this.#block()
    if (this.kind !== 'word') return this.#simpleEnd()
    switch (this.peek().text) {
      case 'if':
        return this.#if()
      case 'while': {
        this.next()
        const condition = this.#condition()
        return node('while', [condition, this.#body()])
      }
      case 'do':
        return this.#do()
      case 'for':
        return this.#for()
      case 'switch':
        return this.#switch()
      default:
        return this.#simpleEnd()
    }
  }

  #simpleEnd(): Node {
    const statement = this.#simple()
    this.#end()
    return statement
  }

  #if(): Node {
    this.next()
    const condition = this.#condition()
    const body = this.#body()
    const before = this.position
    this.#skipEnds()
    if (!this.isWord('else')) {
      this.position = before
      return node('if', [condition, body])
    }
    this.next()
    return node('if', [condition, body, this.#body()])
  }

  #do(): Node {
    this.next()
    const body = this.#body()
    this.#skipEnds()
    if (!this.isWord('while')) this.wrong()
    this.next()
    const condition = this.#condition()
    this.#end()
    return node('do', [body, condition])
  }

  #for(): Node {
    this.next()
    this.expectMark('(')
    const [name, word, array, close] = this.ahead(4)
    if (name?.kind === 'name' && word?.text === 'in' && array?.kind === 'name' && close?.text === ')') {
      for (let skip = 0; skip < 4; skip += 1) this.next()
      return node('forIn', [this.variable(name.text), this.variable(array.text), this.#body()])
    }
    const start = this.isMark(';') ? EMPTY : this.#simple()
    this.expectMark(';')
    this.skipNewlines()
    const condition = this.isMark(';') ? EMPTY : this.expression()
    this.expectMark(';')
    this.skipNewlines()
    const step = this.isMark(')') ? EMPTY : this.#simple()
    this.expectMark(')')
    return node('for', [start, condition, step, this.#body()])
  }

  #switch(): Node {
    this.next()
    const subject = this.#condition()
    this.skipNewlines()
    this.expectMark('{')
    this.#skipEnds()
    const cases: Node[] = []
    while (!this.isMark('}')) {
      const word = this.next()
      if (word.text !== 'case' && word.text !== 'default') this.wrong(word)
      const label = word.text === 'case' ? this.primary() : EMPTY
      this.expectMark(':')
      const statements: Node[] = []
      this.#skipEnds()
      while (!this.isWord('case') && !this.isWord('default') && !this.isMark('}')) {
        statements.push(this.#statement())
        this.#skipEnds()
      }
      cases.push(node('case', [label, node('block', statements)]))
    }
    this.next()
    return node('switch', [subject, ...cases])
  }

  #simple(): Node {
    const { text } = this.peek()
    if (this.kind !== 'word' || text === 'getline') return node('evaluate', [this.expression()])
    this.next()
    switch (text) {
      case 'break':
      case 'continue':
      case 'next':
      case 'nextfile':
        return node(text)
      case 'exit':
      case 'return':
        return node(text, this.isEnd() ? [] : [this.expression()])
      case 'delete':
        return this.#delete()
      case 'print':
      case 'printf':
        return this.#print(text)
      default:
        return this.wrong()
    }
  }

  #delete(): Node {
    const name = this.next()
    if (name.kind !== 'name') this.wrong(name)
    const array = this.variable(name.text)
    if (!this.isMark('[')) return node('clear', [array])
    return node('delete', [array, ...this.subscripts()])
  }

  /** `print` with its values, and where they go: `text` is `print>`, with the place as the last part. */
  #print(word: 'print' | 'printf'): Node {
    const values = this.printed()
    if (word === 'printf' && values.length === 0) throw new AwkError('printf: no arguments', 1)
    const { text } = this.peek()
    if (this.kind !== 'mark' || !['>', '>>', '|', '|&'].includes(text)) return node(word, values)
    if (text === '|&') throw new AwkError('|& is not known here', 1)
    this.next()
    return node(word, [...values, this.concatenation()], text)
  }
}

export function parseAwk(source: string): AwkProgram {
  return new ProgramParser(tokenize(source)).program()
}
