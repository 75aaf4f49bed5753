import { forEachChild, type ParameterExpansionPart, type SyntaxNode } from 'unbash'
import type { Script } from './script.ts'
import { isGivenByBash } from './shell-variables.ts'
import { LIMITED } from './timeouts.ts'
import { literalOf } from './words.ts'

const NAME = /^(?:[A-Za-z]\w*|_\w+|[1-9]\d*)$/
const POSITIONAL = /^\d+$/
const IN_ARITHMETIC = /^(?:\$\{?)?([A-Za-z_]\w*)\}?$|^\$\{?([1-9]\d*)\}?$/

/** Expansions that end a script where their variable is not set. */
export interface Unset {
  /** Those that do so always: `${x?}`. */
  readonly always: ReadonlySet<string>
  /** Those that do so under `set -u`. */
  readonly named: ReadonlySet<string>
  /** Positional parameters, as `${1?}`: the engine does not look at them under `set -u`. */
  readonly positional: ReadonlySet<string>
  /** The engine takes some of them for empty. */
  readonly isBlind: boolean
}

/** Whether a node is such an expansion, or may be. */
export function mayBeUnset(node: SyntaxNode, nounset: boolean): boolean {
  if (node.type === 'ParameterExpansion')
    return isAsserted(node) || (nounset && NAME.test(node.parameter) && node.operation?.type !== 'Default')
  if (!nounset) return false
  if (node.type === 'SimpleExpansion') return NAME.test(node.text.slice(1))
  return node.type === 'ArithmeticWord' && IN_ARITHMETIC.test(node.value)
}

function isAsserted({ operation }: ParameterExpansionPart): boolean {
  return operation?.type === 'Default' && operation.operator.endsWith('?')
}

/** The expansions that a command makes before it runs, without those of the commands in it. */
export function unsetOf(node: SyntaxNode, script: Script, nounset: boolean): Unset {
  const found = new Finder(script, nounset)
  for (const one of expandedBy(node)) found.look(one)
  return found
}

function expandedBy(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.type) {
    case 'Case':
      return [node.word]
    case 'For':
      return node.wordlist ?? []
    case 'Redirected':
      return [...expandedBy(node.command), ...node.redirects]
    case 'BraceGroup':
      return isLimited(node) ? node.body.commands.map(({ command }) => command) : []
    case 'Command':
    case 'TestCommand':
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
    case 'TestUnary':
    case 'TestBinary':
    case 'TestLogical':
    case 'TestNot':
    case 'TestGroup':
      return [node]
    default:
      return []
  }
}

/** Whether a group is a command with a time limit. */
export function isLimited(node: SyntaxNode): boolean {
  if (node.type !== 'BraceGroup') return false
  const first = node.body.commands[0]?.command
  return first?.type === 'Command' && literalOf(first.name) === LIMITED
}

class Finder implements Unset {
  readonly always = new Set<string>()
  readonly named = new Set<string>()
  readonly positional = new Set<string>()
  isBlind = false
  readonly #script: Script
  readonly #nounset: boolean
  /** Variables that an expansion before has given a value. */
  readonly #given: Set<string>

  constructor(script: Script, nounset: boolean, given: Set<string> = new Set()) {
    this.#script = script
    this.#nounset = nounset
    this.#given = given
  }

  look(node: SyntaxNode, isBlind = false): void {
    switch (node.type) {
      case 'Statement':
      case 'CommandExpansion':
      case 'ArithmeticCommandExpansion':
      case 'ProcessSubstitution':
        return
      case 'SimpleExpansion':
        this.#add(node.text.slice(1), isBlind)
        return
      case 'ParameterExpansion':
        this.#parameter(node, isBlind)
        return
      case 'ArithmeticWord': {
        const [, name, number] = IN_ARITHMETIC.exec(node.value) ?? []
        const parameter = name ?? number
        if (parameter !== undefined) this.#add(parameter, true)
        else for (const part of node.parts ?? []) this.look(part, true)
        return
      }
      case 'ArithmeticBinary':
        if (node.operator !== '=') break
        this.look(node.right, true)
        if (node.left.type === 'ArithmeticWord') this.#given.add(node.left.value)
        return
      case 'TestLogical':
        // The others may not be expanded.
        if (node.operands[0] !== undefined) this.look(node.operands[0])
        return
      case 'HereDoc':
        if (node.delimiter?.quoted === true) return
        break
      default:
    }
    const isAssigning = node.type === 'Command' && node.name === undefined
    forEachChild(node, (child) => {
      this.look(child, isBlind)
      if (isAssigning && child.type === 'Assignment') this.#given.add(child.name)
    })
  }

  #parameter(node: ParameterExpansionPart, isBlind: boolean): void {
    const { parameter: name, operation, prefix } = node
    if (operation?.type !== 'Default') {
      this.#add(name, isBlind || operation !== undefined || prefix === '#')
      if (operation !== undefined) forEachChild(node, (child) => this.look(child, isBlind))
      return
    }
    if (isAsserted(node)) {
      this.always.add(this.#script.text(node))
      return
    }
    const operator = operation.operator.replace('=', '-')
    const inner = new Finder(this.#script, this.#nounset, this.#given)
    inner.look(operation.operand, isBlind)
    const nested = (from: ReadonlySet<string>, to: Set<string>) => {
      if (from.size > 0) to.add(`\${${name}${operator}${[...from].join('')}}`)
    }
    nested(inner.always, this.always)
    nested(inner.named, this.named)
    nested(inner.positional, this.positional)
    this.isBlind ||= inner.isBlind
    if (operator !== operation.operator) this.#given.add(name)
  }

  #add(name: string, isBlind: boolean): void {
    if (!this.#nounset || !NAME.test(name) || this.#given.has(name) || isGivenByBash(name)) return
    const isPositional = POSITIONAL.test(name)
    if (isPositional) this.positional.add(`\${${name}?}`)
    else this.named.add(`\${${name}}`)
    this.isBlind ||= isBlind || isPositional
  }
}
