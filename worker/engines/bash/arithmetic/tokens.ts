/** A piece of an arithmetic expression. */
export type Token =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'word'; readonly index: number }
  | { readonly kind: 'operator'; readonly text: string }

export class ArithmeticError extends Error {
  override readonly name = 'ArithmeticError'
}

/** Stands for the word with this number in a template. */
const SLOT = /^\ue000(\d+)\ue001/

const OPERATORS = /^(<<=|>>=|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[-+*/%<>&|^!~?:=(),])/

/** Two signs of a number, as in `5--3`: `--` and `++` stand beside a name. */
const SIGN_TWICE = /^(?:(-)-|(\+)\+)(?!\s*[A-Za-z_\ue000])/

/** Bases of `base#digits`. */
function digits(base: bigint, text: string, token: string): bigint {
  if (base < 2n || base > 64n) throw wrongNumber('invalid arithmetic base', token)
  let value = 0n
  for (const character of text) {
    const digit = digitOf(character, base)
    if (digit >= base) throw wrongNumber('value too great for base', token)
    value = value * base + digit
  }
  return BigInt.asIntN(64, value)
}

const wrongNumber = (what: string, token: string) =>
  new ArithmeticError(`${what} (error token is "${token}")`)

function digitOf(character: string, base: bigint): bigint {
  if (character >= '0' && character <= '9') return BigInt(character)
  const lower = '@_'.indexOf(character)
  if (lower >= 0) return BigInt(62 + lower)
  if (character >= 'a' && character <= 'z') return BigInt(character.charCodeAt(0) - 97 + 10)
  return BigInt(character.charCodeAt(0) - 65 + (base <= 36n ? 10 : 36))
}

/** `0x1f`, `017`, `2#101`, `42`. */
function parseNumber(text: string): bigint {
  const based = /^(\d+)#([0-9A-Za-z@_]+)$/.exec(text)
  if (based !== null) return digits(BigInt(based[1] ?? '10'), based[2] ?? '', text)
  if (/^0[xX]/.test(text)) return digits(16n, text.slice(2), text)
  if (/^0\d/.test(text)) return digits(8n, text.slice(1), text)
  return digits(10n, text, text)
}

/** @throws {ArithmeticError} at what is no arithmetic. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let rest = text.trimStart()
  while (rest !== '') {
    const [piece, token] = nextToken(rest, text, tokens.at(-1))
    tokens.push(token)
    rest = rest.slice(piece.length).trimStart()
  }
  return tokens
}

function nextToken(rest: string, text: string, before: Token | undefined): [string, Token] {
  const slot = SLOT.exec(rest)
  if (slot !== null) return [slot[0], { kind: 'word', index: Number(slot[1]) }]
  const number = /^\d[0-9A-Za-z@_#]*/.exec(rest)
  if (number !== null) return [number[0], { kind: 'number', value: parseNumber(number[0]) }]
  const name = /^[A-Za-z_]\w*/.exec(rest)
  if (name !== null) return [name[0], { kind: 'name', name: name[0] }]
  const operator = OPERATORS.exec(rest)
  if (operator !== null) {
    const [, minus, sign = minus] = SIGN_TWICE.exec(rest) ?? []
    const piece = sign !== undefined && before?.kind !== 'name' ? sign : operator[0]
    return [piece, { kind: 'operator', text: piece }]
  }
  throw new ArithmeticError(
    `${text.trim()}: syntax error: operand expected (error token is "${rest.trim()}")`,
  )
}
