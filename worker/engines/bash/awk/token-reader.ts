import { AwkError } from './error.ts'
import type { Token } from './tokens.ts'

const END: Token = { kind: 'end', text: 'end of program', line: 0 }

/** Reads tokens one after another. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? END
  }

  next(): Token {
    const token = this.peek()
    this.#at += 1
    return token
  }

  /** Whether the next token is one of these signs or words. */
  is(...texts: readonly string[]): boolean {
    const { kind, text } = this.peek()
    return (kind === 'sign' || kind === 'word' || kind === 'newline') && texts.includes(text)
  }

  take(...texts: readonly string[]): string | undefined {
    return this.is(...texts) ? this.next().text : undefined
  }

  expect(text: string): void {
    if (this.take(text) === undefined) this.fail()
  }

  name(): string {
    const { kind, text } = this.peek()
    if (kind !== 'name' && kind !== 'callee') this.fail()
    this.#at += 1
    return text
  }

  skipNewlines(): void {
    while (this.take('\n') !== undefined);
  }

  /** Where the parenthesis that opens here closes, counted in tokens. */
  closing(): number {
    let depth = 0
    for (let ahead = 0; ; ahead += 1) {
      const { kind, text } = this.peek(ahead)
      if (kind === 'end') return this.fail()
      if (kind !== 'sign') continue
      if (text === '(') depth += 1
      if (text === ')') depth -= 1
      if (depth === 0) return ahead
    }
  }

  /** @param at - the token that does not belong there. */
  fail(at: Token = this.peek()): never {
    const { text, line } = at
    throw new AwkError(`line ${line}: syntax error at or near ${text === '\n' ? 'end of line' : text}`)
  }
}
