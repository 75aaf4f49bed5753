import { templateOf } from '../arithmetic/template.ts'
import type { CommandNode, NodeOf, ScriptNode, SimpleCommandNode, WordNode, WordPart } from '../just-bash.ts'
import { group, literal, pipeline, simple, statement } from './nodes.ts'
import { isNode } from './walk.ts'

/** `__arith name template words…`: puts a value into a variable. */
export const ARITHMETIC = '__arith'

/** Names of the variables that hold such values. */
export const HELD = /^__a\d+$/

/** What just-bash's doubles and 32-bit operators get wrong, and command substitutions, which it runs elsewhere. */
const INEXACT = /[*]|<<|>>|[~^]|&(?!&)|\|(?!\|)|\$\(|`|\d{16}|0[xX][0-9a-fA-F]{13}|\d#|RANDOM/

let held = 0

/** Parts of a command that are its own words. */
const OWN = ['assignments', 'args', 'name', 'redirections', 'words', 'word', 'expression'] as const

/** Computes the command's inexact expressions before it, in 64 bits. */
export function exactArithmetic(node: CommandNode, parse: (text: string) => ScriptNode): CommandNode {
  const before: SimpleCommandNode[] = []
  if (node.type === 'ArithmeticCommand') return exactCommand(node, parse)
  for (const key of OWN) {
    const value: unknown = Reflect.get(node, key)
    if (typeof value === 'object' && value !== null) Reflect.set(node, key, replace(value, before, parse))
  }
  if (before.length === 0) return node
  const pipelines = [...before, node].map((command) => pipeline(command))
  return group([
    statement(
      pipelines,
      pipelines.slice(1).map(() => '&&'),
    ),
  ])
}

function replace(value: object, before: SimpleCommandNode[], parse: (text: string) => ScriptNode): object {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? replace(item, before, parse) : item))
  if (isNode(value)) {
    if (value.type === 'Script' || value.type === 'Statement') return value
    if (value.type === 'ArithmeticExpansion')
      return hoisted(value.expression.originalText, before, parse) ?? value
    if (value.type === 'ParameterExpansion' && isRandom(value))
      return hoisted('RANDOM', before, parse) ?? value
  }
  for (const [key, inner] of Object.entries(value))
    if (isObject(inner)) Reflect.set(value, key, replace(inner, before, parse))
  return value
}

/** just-bash has no `$RANDOM`. */
const isRandom = ({ parameter, operation }: Extract<WordPart, { type: 'ParameterExpansion' }>) =>
  parameter === 'RANDOM' && operation === null

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function hoisted(
  text: string | undefined,
  before: SimpleCommandNode[],
  parse: (text: string) => ScriptNode,
): object | undefined {
  held += 1
  const name = `__a${held}`
  const command = computing(text, name, parse)
  if (command === undefined) return undefined
  before.push(command)
  return { type: 'ParameterExpansion', parameter: name, operation: null }
}

function exactCommand(node: NodeOf<'ArithmeticCommand'>, parse: (text: string) => ScriptNode): CommandNode {
  const command = computing(node.expression.originalText, '', parse)
  return command === undefined ? node : { ...command, redirections: node.redirections }
}

function computing(
  text: string | undefined,
  name: string,
  parse: (text: string) => ScriptNode,
): SimpleCommandNode | undefined {
  if (text === undefined || !INEXACT.test(text)) return undefined
  const template = templateOf(text)
  if (template === undefined) return undefined
  const words = template.words.map((word) => parsedWord(word, parse))
  if (words.includes(undefined)) return undefined
  return simple(
    ARITHMETIC,
    literal(name),
    literal(template.text),
    ...words.filter((word) => word !== undefined),
  )
}

function parsedWord(text: string, parse: (text: string) => ScriptNode): WordNode | undefined {
  const command = parse(`: "${text}"`).statements[0]?.pipelines[0]?.commands[0]
  return command?.type === 'SimpleCommand' ? command.args[0] : undefined
}
