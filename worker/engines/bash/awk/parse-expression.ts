import type { Expression, Target } from './nodes.ts'
import type { TokenReader } from './token-reader.ts'
import type { Token } from './tokens.ts'

/** What ends an expression where it stands: `>` after print, `in` in the head of a loop. */
export interface Context {
  readonly noGreater?: boolean
}

const COMPARES = ['<', '<=', '==', '!=', '>', '>=']
const ASSIGNS = ['=', '+=', '-=', '*=', '/=', '%=', '^=', '**=']

export const isTarget = (node: Expression): node is Target =>
  node.type === 'name' || node.type === 'field' || node.type === 'element'

/** Reads one expression. */
export function parseExpression(reader: TokenReader, context: Context = {}): Expression {
  const left = ternary(reader, context)
  if (!isTarget(left) || !reader.is(...ASSIGNS)) return left
  const operator = reader.next().text.slice(0, -1)
  reader.skipNewlines()
  const value = parseExpression(reader, context)
  return { type: 'assign', operator: operator === '**' ? '^' : operator, target: left, value }
}

export function expressionList(reader: TokenReader, end: string): Expression[] {
  const list: Expression[] = []
  reader.skipNewlines()
  while (!reader.is(end)) {
    list.push(parseExpression(reader))
    reader.skipNewlines()
    if (reader.take(',') === undefined) break
    reader.skipNewlines()
  }
  reader.expect(end)
  return list
}

function ternary(reader: TokenReader, context: Context): Expression {
  const test = or(reader, context)
  if (reader.take('?') === undefined) return test
  reader.skipNewlines()
  const yes = parseExpression(reader, context)
  reader.skipNewlines()
  reader.expect(':')
  reader.skipNewlines()
  return { type: 'choose', test, yes, no: parseExpression(reader, context) }
}

function or(reader: TokenReader, context: Context): Expression {
  let left = and(reader, context)
  while (reader.take('||') !== undefined) {
    reader.skipNewlines()
    left = { type: 'or', left, right: and(reader, context) }
  }
  return left
}

function and(reader: TokenReader, context: Context): Expression {
  let left = membership(reader, context)
  while (reader.take('&&') !== undefined) {
    reader.skipNewlines()
    left = { type: 'and', left, right: membership(reader, context) }
  }
  return left
}

function membership(reader: TokenReader, context: Context): Expression {
  let left = matching(reader, context)
  while (reader.take('in') !== undefined) left = { type: 'in', keys: [left], array: reader.name() }
  return left
}

function matching(reader: TokenReader, context: Context): Expression {
  let left = comparison(reader, context)
  for (;;) {
    const operator = reader.take('~', '!~')
    if (operator === undefined) return left
    left = { type: 'match', not: operator === '!~', left, right: comparison(reader, context) }
  }
}

function comparison(reader: TokenReader, context: Context): Expression {
  const left = piped(reader, context)
  if (!reader.is(...COMPARES) || (context.noGreater === true && reader.is('>'))) return left
  const operator = reader.next().text
  return { type: 'binary', operator, left, right: piped(reader, context) }
}

/** `"command" | getline` */
function piped(reader: TokenReader, context: Context): Expression {
  let left = concatenation(reader, context)
  while (reader.is('|') && reader.peek(1).text === 'getline' && reader.peek(1).kind === 'word') {
    reader.next()
    reader.next()
    const target = optionalTarget(reader)
    left = { type: 'getline', from: 'command', source: left, ...(target === undefined ? {} : { target }) }
  }
  return left
}

function beginsOperand(reader: TokenReader): boolean {
  const { kind, text } = reader.peek()
  if (['number', 'string', 'regex', 'name', 'callee', 'builtin'].includes(kind)) return true
  return kind === 'sign' && ['$', '(', '-', '+', '++', '--'].includes(text)
}

function concatenation(reader: TokenReader, context: Context): Expression {
  let left = additive(reader, context)
  while (beginsOperand(reader) && !reader.is('+', '-'))
    left = { type: 'binary', operator: ' ', left, right: additive(reader, context) }
  return left
}

function additive(reader: TokenReader, context: Context): Expression {
  let left = product(reader, context)
  while (reader.is('+', '-'))
    left = { type: 'binary', operator: reader.next().text, left, right: product(reader, context) }
  return left
}

function product(reader: TokenReader, context: Context): Expression {
  let left = unary(reader, context)
  while (reader.is('*', '/', '%'))
    left = { type: 'binary', operator: reader.next().text, left, right: unary(reader, context) }
  return left
}

function unary(reader: TokenReader, context: Context): Expression {
  const operator = reader.take('!', '-', '+')
  if (operator !== '!' && operator !== '-' && operator !== '+') return power(reader, context)
  return { type: 'unary', operator, operand: unary(reader, context) }
}

function power(reader: TokenReader, context: Context): Expression {
  const left = postfix(reader, context)
  if (reader.take('^', '**') === undefined) return left
  const sign = reader.take('-', '+')
  const right = power(reader, context)
  const exponent: Expression = sign === '-' ? { type: 'unary', operator: '-', operand: right } : right
  return { type: 'binary', operator: '^', left, right: exponent }
}

function postfix(reader: TokenReader, context: Context): Expression {
  const node = primary(reader, context)
  if (!isTarget(node) || !reader.is('++', '--')) return node
  return { type: 'step', by: reader.next().text === '++' ? 1 : -1, prefix: false, target: node }
}

/** The variable that `getline` reads into, if one is named. */
function optionalTarget(reader: TokenReader): Target | undefined {
  const { kind } = reader.peek()
  if (kind !== 'name' && !reader.is('$')) return undefined
  const node = primary(reader, {})
  return isTarget(node) ? node : reader.fail()
}

function primary(reader: TokenReader, context: Context): Expression {
  const token = reader.next()
  const { kind, text } = token
  switch (kind) {
    case 'number':
      return { type: 'number', value: Number(text) }
    case 'string':
      return { type: 'string', value: text }
    case 'regex':
      return { type: 'regex', source: text }
    case 'callee':
      reader.expect('(')
      return { type: 'call', name: text, args: expressionList(reader, ')') }
    case 'builtin':
      if (reader.take('(') === undefined)
        return text === 'length' ? { type: 'builtin', name: text, args: [] } : reader.fail()
      return { type: 'builtin', name: text, args: expressionList(reader, ')') }
    case 'name':
      if (reader.take('[') === undefined) return { type: 'name', name: text }
      return { type: 'element', array: text, keys: expressionList(reader, ']') }
    case 'word':
      return text === 'getline' ? plainGetline(reader) : reader.fail()
    default:
      return signed(token, reader, context)
  }
}

function plainGetline(reader: TokenReader): Expression {
  const target = optionalTarget(reader)
  const into = target === undefined ? {} : { target }
  if (reader.take('<') === undefined) return { type: 'getline', from: 'main', ...into }
  return { type: 'getline', from: 'file', source: postfix(reader, {}), ...into }
}

function signed(token: Token, reader: TokenReader, context: Context): Expression {
  const { text } = token
  if (text === '$') {
    const by = reader.take('++', '--')
    const index = primary(reader, context)
    if (by === undefined) return { type: 'field', index }
    if (!isTarget(index)) return reader.fail()
    return { type: 'field', index: { type: 'step', by: by === '++' ? 1 : -1, prefix: true, target: index } }
  }
  if (text === '++' || text === '--') {
    const target = primary(reader, context)
    return isTarget(target)
      ? { type: 'step', by: text === '++' ? 1 : -1, prefix: true, target }
      : reader.fail()
  }
  if (text === '-' || text === '+' || text === '!')
    return { type: 'unary', operator: text, operand: primary(reader, context) }
  if (text !== '(') return reader.fail(token)
  const list = expressionList(reader, ')')
  const [first] = list
  if (list.length > 1) {
    reader.expect('in')
    return { type: 'in', keys: list, array: reader.name() }
  }
  return first === undefined ? reader.fail() : { type: 'group', inner: first }
}
