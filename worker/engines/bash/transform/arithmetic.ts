import { templateOf } from '../arithmetic/template.ts'
import type { CommandNode, NodeOf, ScriptNode, SimpleCommandNode, WordNode, WordPart } from '../just-bash.ts'
import { innerPath } from './inner-command.ts'
import { group, literal, pipeline, simple, single, statement } from './nodes.ts'
import { isNode } from './walk.ts'

/** `__arith name template words…`: puts a value into a variable. */
export const ARITHMETIC = '__arith'

/** Instead of a name: the value is the status. */
export const NO_NAME = '-'

/** Names of the variables that hold such values. */
export const HELD = /^__a\d+$/

/**
 * What just-bash's doubles and 32-bit operators get wrong, what can fail, and command substitutions,
 * which it runs elsewhere.
 */
const INEXACT =
  /[*/%]|<<|>>|[~^]|&(?!&)|\|(?!\|)|\$\(|`|\d{16}|0[xX][0-9a-fA-F]{13}|\d#|\b0\d|RANDOM|EPOCHSECONDS/

/** What can fail, or changes a variable: not computed before a command that may not reach it. */
const FAILS = /[/%]|\b0\d|\*\*|\+\+|--|[^=<>!]=[^=]/

/** Variables that just-bash does not have. */
const DYNAMIC = new Set(['RANDOM', 'SRANDOM', 'EPOCHSECONDS', 'EPOCHREALTIME'])

let held = 0

/** Trees come from another thread: the names in their text are taken. */
export function takeHeldNames(text: string): void {
  for (const [, number] of text.matchAll(/"__a(\d{1,9})"/g)) held = Math.max(held, Number(number))
}

/** Parts of a command that are its own words. */
const OWN = ['assignments', 'args', 'name', 'redirections', 'words', 'word', 'expression'] as const

type Parse = (text: string) => ScriptNode

/**
 * Computes the command's inexact expressions before it, in 64 bits. An expression that fails ends the
 * shell, or the subshell that it is in, as in bash.
 */
export function exactArithmetic(node: CommandNode, parse: Parse): CommandNode {
  if (node.type === 'ArithmeticCommand') return exactCommand(node, parse)
  const hoist = new Hoist(parse)
  // `[[ a && b ]]` may never come to b.
  const lazy = node.type === 'ConditionalCommand'
  for (const key of OWN) {
    const value: unknown = Reflect.get(node, key)
    if (isObject(value)) Reflect.set(node, key, hoist.replace(value, lazy))
  }
  if (hoist.before.length === 0) return node
  const checked = hoist.before.map((command) =>
    statement([pipeline(command), pipeline(simple('exit', literal('1')))], ['||']),
  )
  return group([...checked, single(node)])
}

/** Operations whose word is expanded in one case only. */
const LAZY = new Set(['DefaultValue', 'AssignDefault', 'UseAlternative', 'ErrorIfUnset'])

/** Takes expressions out of the words of one command. */
class Hoist {
  readonly before: SimpleCommandNode[] = []
  readonly #parse: Parse

  constructor(parse: Parse) {
    this.#parse = parse
  }

  /** @param lazy - whether the command may not come to this value. */
  replace(value: object, lazy: boolean): object {
    if (Array.isArray(value)) return value.map((item) => (isObject(item) ? this.replace(item, lazy) : item))
    if (isNode(value)) {
      if (value.type === 'Script' || value.type === 'Statement') return value
      if (value.type === 'ArithmeticExpansion') return this.#expansion(value, lazy)
      if (value.type === 'ParameterExpansion' && DYNAMIC.has(value.parameter)) {
        const name = this.#hold(value.parameter)
        if (name !== undefined) return { ...value, parameter: name }
      }
    }
    const inner = lazy || (isNode(value) && LAZY.has(value.type))
    for (const [key, part] of Object.entries(value))
      if (isObject(part)) Reflect.set(value, key, this.replace(part, inner))
    return value
  }

  #expansion(part: Extract<WordPart, { type: 'ArithmeticExpansion' }>, lazy: boolean): object {
    const text = part.expression.originalText
    if (text === undefined || !INEXACT.test(text) || (lazy && FAILS.test(text))) return part
    const name = this.#hold(text)
    return name === undefined ? part : { type: 'ParameterExpansion', parameter: name, operation: null }
  }

  #hold(text: string): string | undefined {
    held += 1
    const name = `__a${held}`
    const command = computing(text, name, this.#parse)
    if (command === undefined) return undefined
    this.before.push(command)
    return name
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function exactCommand(node: NodeOf<'ArithmeticCommand'>, parse: Parse): CommandNode {
  const text = node.expression.originalText
  const command = text !== undefined && INEXACT.test(text) ? computing(text, NO_NAME, parse) : undefined
  return command === undefined ? node : { ...command, redirections: node.redirections }
}

function computing(text: string, name: string, parse: Parse): SimpleCommandNode | undefined {
  const template = templateOf(text)
  if (template === undefined) return undefined
  const words = template.words.map((word) => parsedWord(word, parse))
  if (words.includes(undefined)) return undefined
  return simple(
    innerPath(ARITHMETIC),
    literal(name),
    literal(template.text),
    ...words.filter((word) => word !== undefined),
  )
}

function parsedWord(text: string, parse: Parse): WordNode | undefined {
  const command = parse(`: "${text}"`).statements[0]?.pipelines[0]?.commands[0]
  return command?.type === 'SimpleCommand' ? command.args[0] : undefined
}
