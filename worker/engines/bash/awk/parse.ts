import type { AwkFunction, AwkProgram, Expression, Rule, Statement } from './nodes.ts'
import { expressionList, isTarget, parseExpression } from './parse-expression.ts'
import { TokenReader } from './token-reader.ts'
import { tokenize } from './tokens.ts'

/** Reads an awk program. @throws {AwkError} */
export function parseAwk(text: string): AwkProgram {
  const reader = new TokenReader(tokenize(text))
  const rules: Rule[] = []
  const functions = new Map<string, AwkFunction>()
  for (;;) {
    skipTerminators(reader)
    if (reader.peek().kind === 'end') return { rules, functions }
    if (reader.take('function', 'func') !== undefined) {
      const definition = functionOf(reader)
      functions.set(definition.name, definition)
    } else rules.push(ruleOf(reader))
  }
}

function skipTerminators(reader: TokenReader): void {
  while (reader.take(';', '\n') !== undefined);
}

function functionOf(reader: TokenReader): AwkFunction {
  const name = reader.name()
  reader.expect('(')
  const parameters: string[] = []
  while (!reader.is(')')) {
    reader.skipNewlines()
    parameters.push(reader.name())
    reader.skipNewlines()
    if (reader.take(',') === undefined) break
  }
  reader.expect(')')
  reader.skipNewlines()
  return { name, parameters, body: block(reader) }
}

function ruleOf(reader: TokenReader): Rule {
  const special = reader.take('BEGIN', 'END')
  if (special === 'BEGIN' || special === 'END') {
    reader.skipNewlines()
    return { pattern: special, body: block(reader) }
  }
  if (reader.is('{')) return { pattern: 'always', body: block(reader) }
  const from = parseExpression(reader)
  if (reader.take(',') === undefined)
    return { pattern: from, body: reader.is('{') ? block(reader) : undefined }
  reader.skipNewlines()
  const to = parseExpression(reader)
  return { pattern: [from, to], body: reader.is('{') ? block(reader) : undefined }
}

function block(reader: TokenReader): Statement {
  reader.expect('{')
  const body: Statement[] = []
  for (;;) {
    skipTerminators(reader)
    if (reader.take('}') !== undefined) return { type: 'block', body }
    body.push(statementOf(reader))
  }
}

/** A statement, or what stands for none: `if (x);` */
function bodyOf(reader: TokenReader): Statement {
  reader.skipNewlines()
  return reader.take(';') === undefined ? statementOf(reader) : { type: 'block', body: [] }
}

function statementOf(reader: TokenReader): Statement {
  if (reader.is('{')) return block(reader)
  switch (reader.take('if', 'while', 'do', 'for', 'switch')) {
    case 'if':
      return ifOf(reader)
    case 'while': {
      const test = condition(reader)
      return { type: 'while', test, body: bodyOf(reader) }
    }
    case 'do': {
      const body = bodyOf(reader)
      skipTerminators(reader)
      reader.expect('while')
      return ended(reader, { type: 'do', body, test: condition(reader) })
    }
    case 'for':
      return forOf(reader)
    case 'switch':
      return reader.fail()
    default:
      return ended(reader, simple(reader))
  }
}

function condition(reader: TokenReader): Expression {
  reader.expect('(')
  const test = parseExpression(reader)
  reader.expect(')')
  return test
}

function ifOf(reader: TokenReader): Statement {
  const test = condition(reader)
  const yes = bodyOf(reader)
  let ahead = 0
  while (['\n', ';'].includes(reader.peek(ahead).text) && reader.peek(ahead).kind !== 'string') ahead += 1
  const { kind, text } = reader.peek(ahead)
  if (kind !== 'word' || text !== 'else') return { type: 'if', test, yes }
  for (; ahead >= 0; ahead -= 1) reader.next()
  return { type: 'if', test, yes, no: bodyOf(reader) }
}

function forOf(reader: TokenReader): Statement {
  if (reader.peek(2).text === 'in' && reader.peek(4).text === ')' && reader.peek(1).kind === 'name') {
    reader.expect('(')
    const target = { type: 'name' as const, name: reader.name() }
    reader.expect('in')
    const array = reader.name()
    reader.expect(')')
    return { type: 'each', target, array, body: bodyOf(reader) }
  }
  reader.expect('(')
  const first = reader.is(';') ? undefined : simple(reader)
  reader.expect(';')
  reader.skipNewlines()
  const test = reader.is(';') ? undefined : parseExpression(reader)
  reader.expect(';')
  reader.skipNewlines()
  const step = reader.is(')') ? undefined : simple(reader)
  reader.expect(')')
  return {
    type: 'for',
    ...(first === undefined ? {} : { first }),
    ...(test === undefined ? {} : { test }),
    ...(step === undefined ? {} : { step }),
    body: bodyOf(reader),
  }
}

function ended(reader: TokenReader, statement: Statement): Statement {
  if (reader.take(';', '\n') === undefined && !reader.is('}')) reader.fail()
  return statement
}

const ends = (reader: TokenReader) => reader.is(';', '\n', '}')

function simple(reader: TokenReader): Statement {
  const word = reader.take(
    'print',
    'printf',
    'break',
    'continue',
    'next',
    'nextfile',
    'exit',
    'return',
    'delete',
  )
  switch (word) {
    case 'print':
    case 'printf':
      return printed(reader, word)
    case 'break':
    case 'continue':
    case 'next':
    case 'nextfile':
      return { type: word }
    case 'exit':
    case 'return':
      return ends(reader) ? { type: word } : { type: word, value: parseExpression(reader) }
    case 'delete': {
      const array = reader.name()
      return reader.take('[') === undefined
        ? { type: 'delete', array }
        : { type: 'delete', array, keys: expressionList(reader, ']') }
    }
    default:
      return { type: 'expression', value: parseExpression(reader) }
  }
}

function printed(reader: TokenReader, type: 'print' | 'printf'): Statement {
  const args: Expression[] = []
  const after = reader.is('(') ? reader.peek(reader.closing() + 1) : undefined
  if (
    after !== undefined &&
    [';', '\n', '}', '>', '>>', '|'].includes(after.text) &&
    after.kind !== 'string'
  ) {
    reader.next()
    args.push(...expressionList(reader, ')'))
  } else if (!ends(reader) && !reader.is('>', '>>', '|')) {
    do {
      reader.skipNewlines()
      args.push(parseExpression(reader, { noGreater: true }))
    } while (reader.take(',') !== undefined)
  }
  const sign = reader.take('>', '>>', '|')
  if (sign !== '>' && sign !== '>>' && sign !== '|') return { type, args }
  const name = parseExpression(reader, { noGreater: true })
  if (isTarget(name) || name.type !== 'assign') return { type, args, to: { sign, name } }
  return reader.fail()
}
