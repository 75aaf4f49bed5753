import { templateOf } from '../arithmetic/template.ts'
import type { CommandNode, NodeOf, ScriptNode, SimpleCommandNode, WordNode } from '../just-bash.ts'
import { withHeldKeys } from './held-keys.ts'
import { innerPath } from './inner-command.ts'
import { literal, simple, singleQuoted } from './nodes.ts'

export type Parse = (text: string) => ScriptNode

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
export const INEXACT =
  /[*/%]|<<|>>|[~^]|-(?:-\s*\d|\$)|\+(?:\+\s*\d|\$)|&(?!&)|\|(?!\|)|\$\(|`|\d{16}|0[xX][0-9a-fA-F]{13}|\d#|\b0\d|RANDOM|EPOCHSECONDS|\$\{[^}]*\[|\$\{(?!#?\w+\})|\w\[[^\]]*[$"']|\?[^?]*,|\?[^?]*[^=<>!]=(?!=)|\b\d\w*\s*[-+*/%&|^]?=(?!=)|[-<>&|=+]\s*[A-Za-z_]\w*\s*[-+]?=(?!=)/

/** What can fail, or changes a variable: not computed before a command that may not reach it. */
export const FAILS = /[/%](?!\s*[1-9]\d*(?![\w#]))|\b0\d|\*\*|\+\+|--|[^=<>!]=[^=]/

const ASSIGNED =
  /([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:=(?!=)|(?:<<|>>|[-+*/%&|^])=|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g

/** The variables that an expression assigns to. */
export const assignedIn = (expression: string): string[] =>
  [...expression.matchAll(ASSIGNED)].map(([, name, other]) => name ?? other ?? '')

/** Variables that just-bash does not have, or gives another value. */
export const DYNAMIC = new Set(['RANDOM', 'SRANDOM', 'EPOCHSECONDS', 'EPOCHREALTIME', '!', '-'])

/** `((…))` as a command that computes it. */
export function exactCommand(node: NodeOf<'ArithmeticCommand'>, parse: Parse): CommandNode {
  const text = node.expression.originalText
  const isInexact = text !== undefined && INEXACT.test(text)
  const command = isInexact ? (computing(text, NO_NAME, parse) ?? holding(text, parse)) : undefined
  return command === undefined ? node : { ...command, redirections: node.redirections }
}

/** The expression behind what holds its keys; undefined where it needs none. */
function holding(text: string, parse: Parse): NodeOf<'Group'> | undefined {
  const group = withHeldKeys(text)
  const command = group === undefined ? undefined : parse(group).statements[0]?.pipelines[0]?.commands[0]
  return command?.type === 'Group' ? command : undefined
}

/** Variables that no command is given, where they are read. */
const OF_SHELL =
  /(?<![\w$}{"'\\])(?:BASHPID|EUID|LINENO|PPID|SECONDS|UID)\b(?!\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--))/g

/** The command that puts an expression's value into `name`, or undefined where it cannot be taken apart. */
export function computing(text: string, name: string, parse: Parse): SimpleCommandNode | undefined {
  const template = templateOf(text.replaceAll(/\$\{#[@*]\}/g, '$$#').replaceAll(OF_SHELL, '${$&}'))
  if (template === undefined || isIndexed(text, assignedIn(text))) return undefined
  const words = template.words.map((word) => parsedWord(word, parse))
  if (words.includes(undefined)) return undefined
  return simple(
    innerPath(ARITHMETIC),
    literal(name),
    singleQuoted(template.text),
    ...words.filter((word) => word !== undefined),
  )
}

/** An index that the expression changes: its element is not known before. */
const isIndexed = (text: string, names: readonly string[]): boolean =>
  names.some((name) => new RegExp(`\\w\\[[^\\]]*\\b${name}\\b`).test(text))

function parsedWord(text: string, parse: Parse): WordNode | undefined {
  const command = parse(`: "${text}"`).statements[0]?.pipelines[0]?.commands[0]
  return command?.type === 'SimpleCommand' ? command.args[0] : undefined
}
