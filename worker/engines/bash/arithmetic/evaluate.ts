import { operate } from './operations.ts'
import { ArithmeticError, type Token, tokenize } from './tokens.ts'

/** Where names get their values. */
export interface Variables {
  get(name: string): string | undefined
  set(name: string, value: string): void
}

/** Binary operators, weakest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]

const ASSIGNS = /^(?:=|(<<|>>|[-+*/%&|^])=)$/

/** How deep a variable's value may name others. */
const MAX_DEPTH = 100

/** Evaluates an expression of 64-bit integers. `words` are the values of its slots. */
export function evaluate(text: string, words: readonly string[], variables: Variables, depth = 0): bigint {
  if (depth > MAX_DEPTH) throw new ArithmeticError('expression recursion level exceeded')
  const tokens = tokenize(text)
  if (tokens.length === 0) return 0n
  const reader = new Reader(text, tokens, words, variables, depth)
  const value = reader.comma()
  reader.end()
  return value
}

class Reader {
  readonly #text: string
  readonly #tokens: readonly Token[]
  readonly #words: readonly string[]
  readonly #variables: Variables
  readonly #depth: number
  #at = 0
  /** False in the branch of `&&`, `||` and `?:` that is not taken. */
  #live = true

  constructor(
    text: string,
    tokens: readonly Token[],
    words: readonly string[],
    variables: Variables,
    depth: number,
  ) {
    this.#text = text.trim()
    this.#tokens = tokens
    this.#words = words
    this.#variables = variables
    this.#depth = depth
  }

  comma(): bigint {
    let value = this.#assignment()
    while (this.#take(',')) value = this.#assignment()
    return value
  }

  end(): void {
    if (this.#at < this.#tokens.length) this.#fail()
  }

  #assignment(): bigint {
    const token = this.#tokens[this.#at]
    const operator = this.#operatorAt(this.#at + 1)
    const match = operator === undefined ? null : ASSIGNS.exec(operator)
    if (token?.kind !== 'name' || match === null) return this.#conditional()
    this.#at += 2
    const [, operation] = match
    // `n += n = 3` adds to what was before.
    const before = operation === undefined ? 0n : this.#read(token.name)
    const right = this.#assignment()
    return this.#write(token.name, operation === undefined ? right : this.#apply(operation, before, right))
  }

  #conditional(): bigint {
    const condition = this.#or()
    if (!this.#take('?')) return condition
    const yes = this.#branch(condition !== 0n, () => this.comma())
    if (!this.#take(':')) this.#fail()
    const no = this.#branch(condition === 0n, () => this.#conditional())
    return condition !== 0n ? yes : no
  }

  #or(): bigint {
    let value = this.#and()
    while (this.#take('||')) {
      const right = this.#branch(value === 0n, () => this.#and())
      value = value !== 0n || right !== 0n ? 1n : 0n
    }
    return value
  }

  #and(): bigint {
    let value = this.#binary(0)
    while (this.#take('&&')) {
      const right = this.#branch(value !== 0n, () => this.#binary(0))
      value = value !== 0n && right !== 0n ? 1n : 0n
    }
    return value
  }

  #binary(level: number): bigint {
    const operators = LEVELS[level]
    if (operators === undefined) return this.#power()
    let value = this.#binary(level + 1)
    for (;;) {
      const operator = this.#operatorAt(this.#at)
      if (operator === undefined || !operators.includes(operator)) return value
      this.#at += 1
      value = this.#apply(operator, value, this.#binary(level + 1))
    }
  }

  #power(): bigint {
    const base = this.#unary()
    return this.#take('**') ? this.#apply('**', base, this.#power()) : base
  }

  #unary(): bigint {
    if (this.#take('!')) return this.#unary() === 0n ? 1n : 0n
    if (this.#take('~')) return ~this.#unary()
    if (this.#take('-')) return BigInt.asIntN(64, -this.#unary())
    if (this.#take('+')) return this.#unary()
    for (const [operator, step] of [
      ['++', 1n],
      ['--', -1n],
    ] as const) {
      if (!this.#take(operator)) continue
      const token = this.#tokens[this.#at]
      if (token?.kind !== 'name') return this.#fail()
      this.#at += 1
      return this.#write(token.name, operate('+', this.#read(token.name), step))
    }
    return this.#primary()
  }

  #primary(): bigint {
    const token = this.#tokens[this.#at]
    this.#at += 1
    if (token?.kind === 'number') return token.value
    if (token?.kind === 'word') return this.#value(this.#words[token.index] ?? '')
    if (token?.kind === 'name') return this.#named(token.name)
    if (token?.kind === 'operator' && token.text === '(') {
      const value = this.comma()
      if (!this.#take(')')) this.#fail()
      return value
    }
    this.#at -= 1
    return this.#fail()
  }

  #named(name: string): bigint {
    const value = this.#read(name)
    if (this.#take('++')) this.#write(name, operate('+', value, 1n))
    else if (this.#take('--')) this.#write(name, operate('-', value, 1n))
    return value
  }

  #read(name: string): bigint {
    return this.#live ? this.#value(this.#variables.get(name) ?? '') : 0n
  }

  #write(name: string, value: bigint): bigint {
    if (this.#live) this.#variables.set(name, String(value))
    return value
  }

  /** A variable's text is an expression itself. */
  #value(text: string): bigint {
    if (!this.#live) return 0n
    const number = /^\s*(-?)([1-9]\d{0,17}|0)\s*$/.exec(text)
    if (number !== null) return BigInt(`${number[1]}${number[2]}`)
    return evaluate(text, [], this.#variables, this.#depth + 1)
  }

  #apply(operator: string, left: bigint, right: bigint): bigint {
    return this.#live ? operate(operator, left, right) : 0n
  }

  #branch(taken: boolean, read: () => bigint): bigint {
    const live = this.#live
    this.#live = live && taken
    try {
      return read()
    } finally {
      this.#live = live
    }
  }

  #operatorAt(at: number): string | undefined {
    const token = this.#tokens[at]
    return token?.kind === 'operator' ? token.text : undefined
  }

  #take(operator: string): boolean {
    if (this.#operatorAt(this.#at) !== operator) return false
    this.#at += 1
    return true
  }

  #fail(): never {
    throw new ArithmeticError(`${this.#text}: syntax error in expression`)
  }
}
