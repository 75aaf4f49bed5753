import { closing } from '../arithmetic/template.ts'
import type { CommandNode, StatementNode, WordPart } from '../just-bash.ts'
import { computing, DYNAMIC, exactCommand, FAILS, INEXACT, type Parse } from './arithmetic.ts'
import { elements, isJoined, type Place } from './array-words.ts'
import { endLine } from './discard.ts'
import { changedBy, keptText, keptValue, LAZY, readsAny, StatusReaders } from './expansion-order.ts'
import { group, literal, pipeline, simple, single, statement, word } from './nodes.ts'
import { isNode } from './walk.ts'

/** Parts of a command that are its own words. */
const OWN = ['assignments', 'args', 'name', 'redirections', 'words', 'word', 'expression'] as const

/** Those that are one text each: just-bash joins `${a[*]}` by blanks there, whatever IFS is. */
const SCALAR: ReadonlySet<string> = new Set(['assignments', 'redirections', 'word'])

let held = 0

/** Trees come from another thread: the names in their text are taken. */
export function takeHeldNames(text: string): void {
  for (const [, number] of text.matchAll(/"__a(\d{1,9})"/g)) held = Math.max(held, Number(number))
}

/** A name of a variable that holds a value between two commands. */
export function heldName(): string {
  held += 1
  return `__a${held}`
}

/** Where a command stands. */
export interface HoistContext {
  readonly parse: Parse
  /** It runs in a shell that ends with it. */
  readonly inSubshell: boolean
}

/**
 * Takes out of a command what just-bash expands in another way, and gives the statements that do it before
 * the command: inexact expressions in 64 bits, and arrays whose elements are changed.
 */
export function hoist(node: CommandNode, context: HoistContext): StatementNode[] {
  const own = OWN.map((key): unknown => Reflect.get(node, key)).filter(isObject)
  const taken = new Hoist(context, changedBy(own))
  // `[[ a && b ]]` may never come to b.
  const lazy = node.type === 'ConditionalCommand'
  for (const key of OWN) {
    const value: unknown = Reflect.get(node, key)
    taken.joins = SCALAR.has(key)
    if (isObject(value)) Reflect.set(node, key, taken.replace(value, lazy))
  }
  return taken.before.length === 0 ? [] : [...taken.status.kept(), ...taken.before]
}

/** The command with what must come before it. */
export const after = (before: readonly StatementNode[], node: CommandNode): CommandNode =>
  before.length === 0 ? node : group([...before, single(node)])

/** `((…))`, computed in 64 bits where just-bash would be inexact. */
export function exactArithmetic(node: CommandNode, context: HoistContext): CommandNode {
  const exact = node.type === 'ArithmeticCommand' ? exactCommand(node, context.parse) : node
  return after(hoist(exact, context), exact)
}

class Hoist {
  readonly before: StatementNode[] = []
  /** Whether elements are joined here. */
  joins = false
  /** What reads the status of the command before. */
  readonly status = new StatusReaders(heldName)
  readonly #context: HoistContext
  readonly #changed: ReadonlySet<string>

  /** @param changed - variables whose values are kept in the order of the words */
  constructor(context: HoistContext, changed: ReadonlySet<string>) {
    this.#context = context
    this.#changed = changed
  }

  /** @param lazy - whether the command may not come to this value. */
  replace(value: object, lazy: boolean, place: Place = 'bare'): object {
    if (Array.isArray(value))
      return value.map((item) => (isObject(item) ? this.replace(item, lazy, place) : item))
    if (!isNode(value)) return this.#inside(value, lazy, place)
    if (value.type === 'Script' || value.type === 'Statement') return value
    if (value.type === 'ArithmeticExpansion') return this.#expansion(value, lazy)
    if (value.type === 'CommandSubstitution' && this.#changed.size > 0 && !lazy) return this.#output(value)
    if (value.type === 'ParameterExpansion') {
      this.status.note(value)
      this.#computeIndex(value, lazy)
      if (this.#changed.size > 0 && !lazy && readsAny(value, this.#changed)) return this.#output(value)
      if (this.#changed.has(value.parameter) && value.operation?.type !== 'AssignDefault') {
        const name = heldName()
        this.before.push(...keptValue(name, value.parameter))
        value.parameter = name
      }
      if (DYNAMIC.has(value.parameter)) return this.#dynamic(value)
      if (this.joins && value.operation === null && /^\w+\[\*\]$/.test(value.parameter)) {
        const name = heldName()
        const text = { type: 'DoubleQuoted' as const, parts: [value] }
        this.before.push(single(simple('printf', literal('-v'), literal(name), literal('%s'), word(text))))
        return { ...value, parameter: name }
      }
      if (isJoined(value, place)) {
        this.#inside(value, true, 'quoted')
        const { before, part } = elements(value, heldName(), heldName())
        this.before.push(...before)
        return part
      }
    }
    if (value.type === 'DoubleQuoted')
      return this.#inside(value, lazy, value.parts.length === 1 ? 'quoted' : 'beside')
    return this.#inside(value, lazy || LAZY.has(value.type), place)
  }

  #inside(value: object, lazy: boolean, place: Place): object {
    for (const [key, part] of Object.entries(value))
      if (isObject(part)) Reflect.set(value, key, this.replace(part, lazy, place))
    return value
  }

  #dynamic(value: Extract<WordPart, { type: 'ParameterExpansion' }>): object {
    const name = this.#hold(value.parameter)
    return name === undefined ? value : { ...value, parameter: name }
  }

  /** `${a[$((i % 3))]}`: just-bash runs a command `i` there. */
  #computeIndex(value: Extract<WordPart, { type: 'ParameterExpansion' }>, lazy: boolean): void {
    for (let from = value.parameter.indexOf('$(('); from >= 0; from = value.parameter.indexOf('$((', from)) {
      const end = closing(value.parameter, from + 1)
      const text = value.parameter.slice(from + 3, end - 2)
      const name = end < 0 || (lazy && FAILS.test(text)) ? undefined : this.#hold(this.status.renamed(text))
      if (name === undefined) return
      value.parameter = `${value.parameter.slice(0, from)}$${name}${value.parameter.slice(end)}`
    }
  }

  #output(part: WordPart): object {
    const name = heldName()
    this.before.push(keptText(name, part))
    return { type: 'ParameterExpansion', parameter: name, operation: null }
  }

  #expansion(part: Extract<WordPart, { type: 'ArithmeticExpansion' }>, lazy: boolean): object {
    const text = part.expression.originalText
    if (text === undefined || (lazy && FAILS.test(text))) return part
    const inexact =
      INEXACT.test(text) || text.includes('$?') || /ArithSyntaxError/.test(JSON.stringify(part.expression))
    if (!inexact && this.#changed.size === 0) return part
    const name = this.#hold(this.status.renamed(text))
    return name === undefined ? part : { type: 'ParameterExpansion', parameter: name, operation: null }
  }

  /** An expression that fails ends the line of the script, or the subshell that it is in. */
  #hold(text: string): string | undefined {
    const name = heldName()
    const command = computing(text, name, this.#context.parse)
    if (command === undefined) return undefined
    // An index in it may have an expression of its own.
    this.before.push(
      ...hoist(command, this.#context),
      statement([pipeline(command), pipeline(endLine(this.#context.inSubshell))], ['||']),
    )
    return name
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
