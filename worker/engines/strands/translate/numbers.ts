import type { ArithmeticExpression, Assignment, SyntaxNode, Word, WordPart } from 'unbash'
import { type Place, walk } from './walk.ts'
import { literalOf, NAME } from './words.ts'

const PLAIN = /^-?(?:0|[1-9]\d{0,17})$/
/** Commands that may give variables any value. */
const ASSIGNING: ReadonlySet<string> = new Set(['.', 'eval', 'getopts', 'source'])

/** Where a variable has been given a value. */
interface Given {
  readonly from: number
  readonly to: number
}

/** Variables that a script gives plain numbers only, and from where it has. */
export class Numbers {
  readonly #given = new Map<string, Given[]>()
  readonly #others = new Set<string>()
  /** Variables by those whose value they get. */
  readonly #copies: { readonly name: string; readonly of: string; readonly at: number }[] = []
  #isAnything = false

  /** @param known - functions that the session has, with what they assign to */
  constructor(
    nodes: readonly SyntaxNode[],
    known: ReadonlyMap<string, { readonly names: ReadonlySet<string> }>,
  ) {
    for (const { names } of known.values()) for (const name of names) this.#others.add(name)
    for (const node of nodes) walk(node, (place) => this.#look(place))
    for (let grown = true; grown; ) {
      grown = false
      for (const { name, of, at } of this.#copies) {
        if (this.#others.has(name) || this.isPlain(of, at)) continue
        this.#others.add(name)
        grown = true
      }
    }
  }

  /** Whether a variable has a plain number at a place of the script, whatever was before it. */
  isPlain(name: string, at: number): boolean {
    if (this.#isAnything || this.#others.has(name)) return false
    return this.#given.get(name)?.some(({ from, to }) => from < at && at < to) === true
  }

  #look(place: Place): void {
    const { node } = place
    if (node.type === 'Assignment') this.#assignment(node, place)
    else if (node.type === 'For') {
      const name = literalOf(node.name) ?? ''
      if (node.wordlist?.every((word) => isCounted(word)) === true) this.#give(name, node)
      else this.#others.add(name)
    } else if (node.type === 'ArithmeticFor') {
      const name = assignedBy(node.initialize)
      if (name !== undefined) this.#give(name, node)
    } else if (node.type === 'ParameterExpansion') {
      if (node.operation?.type === 'Default' && node.operation.operator.includes('='))
        this.#others.add(node.parameter)
    } else if (node.type === 'Command') {
      const name = literalOf(node.name) ?? ''
      if (ASSIGNING.has(name)) this.#isAnything = true
      if (name === 'read') for (const arg of node.args) this.#others.add(arg.text)
    }
  }

  #assignment({ name, value, append, pos }: Assignment, place: Place): void {
    const copied = value.type === 'Word' ? copiedBy(value) : undefined
    if (copied !== undefined && append !== true) this.#copies.push({ name, of: copied, at: pos })
    else if (append === true || value.type !== 'Word' || !isNumeric(value)) {
      this.#others.add(name)
      return
    }
    const to = endOfScope(place)
    if (to !== undefined) this.#give(name, { pos, end: to })
  }

  #give(name: string, { pos, end }: { readonly pos: number; readonly end: number }): void {
    this.#given.set(name, [...(this.#given.get(name) ?? []), { from: pos, to: end }])
  }
}

/** Where what a statement has assigned counts to; undefined where it may not have run. */
function endOfScope({ outer }: Place): number | undefined {
  const [command, statement] = [outer?.node, outer?.outer?.node]
  if (command?.type !== 'Command' || statement?.type !== 'Statement' || statement.background === true)
    return undefined
  if (command.name !== undefined && !/^(?:declare|export|local|readonly|typeset)$/.test(command.name.text))
    return undefined
  for (let at = outer?.outer?.outer; at !== undefined; at = at.outer) {
    if (at.node.type === 'Function') return at.node.end
    if (at.node.type === 'Script' && at.outer === undefined) return Number.POSITIVE_INFINITY
    if (at.node.type !== 'BraceGroup' && at.node.type !== 'CompoundList') return undefined
  }
  return Number.POSITIVE_INFINITY
}

function assignedBy(expression: ArithmeticExpression | undefined): string | undefined {
  if (expression?.type !== 'ArithmeticBinary' || expression.operator !== '=') return undefined
  const { left } = expression
  return left.type === 'ArithmeticWord' && NAME.test(left.value) ? left.value : undefined
}

/** The one part of a word, without quotes. */
function partOf({ parts }: Word): WordPart | undefined {
  const [part, ...others] = parts ?? []
  if (part === undefined || others.length > 0) return undefined
  if (part.type !== 'DoubleQuoted') return part
  return part.parts.length === 1 ? part.parts[0] : undefined
}

/** The variable that a word is the value of. */
function copiedBy(word: Word): string | undefined {
  const part = partOf(word)
  return part === undefined ? undefined : /^\$\{?([A-Za-z_]\w*)\}?$/.exec(part.text)?.[1]
}

/** Whether a word is a plain number whatever happens. */
export function isNumeric(word: Word): boolean {
  const literal = literalOf(word)
  if (literal !== undefined) return PLAIN.test(literal)
  const part = partOf(word)
  if (part?.type === 'ArithmeticExpansion') return true
  if (part?.type === 'SimpleExpansion') return /^\$[#?]$/.test(part.text)
  if (part?.type === 'ParameterExpansion') return part.prefix === '#'
  return part?.type === 'CommandExpansion' && part.script !== undefined && printsNumber(part.script)
}

/** Whether a word of a `for` is some plain numbers. */
function isCounted(word: Word): boolean {
  const part = partOf(word)
  if (part?.type === 'BraceExpansion')
    return /^\{-?(?:0|[1-9]\d{0,9})\.\.-?(?:0|[1-9]\d{0,9})\}$/.test(part.text)
  return isNumeric(word)
}

/** Whether commands print a plain number. */
export function printsNumber(script: SyntaxNode): boolean {
  if (script.type !== 'Script') return false
  const [first, ...others] = script.commands
  if (first === undefined || others.length > 0) return false
  const last = first.command.type === 'Pipeline' ? first.command.commands.at(-1) : first.command
  if (last?.type !== 'Command') return false
  const [word, ...more] = last.args.map((arg) => (arg.type === 'Word' ? literalOf(arg) : undefined))
  const name = literalOf(last.name)
  if (more.length > 0) return false
  return name === 'wc' ? /^-[lwcm]$/.test(word ?? '') : name === 'date' && /^\+%s$/.test(word ?? '')
}
