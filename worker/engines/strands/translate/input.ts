import { type Command, forEachChild, type Redirection, type SyntaxNode } from 'unbash'
import { ARCHIVERS, readsArchive } from './archive-input.ts'
import { type Facts, nameOf } from './facts.ts'
import { isSubstitution, type Place } from './walk.ts'
import { literalOf } from './words.ts'

/** Programs that read standard input unless they have this many words that are no options. */
const OPERANDS: ReadonlyMap<string, number> = new Map([
  ['awk', 2],
  ['base64', 1],
  ['cat', 1],
  ['cmp', 2],
  ['column', 1],
  ['comm', 2],
  ['cut', 1],
  ['diff', 2],
  ['egrep', 2],
  ['fgrep', 2],
  ['fold', 1],
  ['grep', 2],
  ['head', 1],
  ['jq', 2],
  ['lua', 1],
  ['md5sum', 1],
  ['nl', 1],
  ['od', 1],
  ['paste', 1],
  ['rev', 1],
  ['sed', 2],
  ['sha1sum', 1],
  ['sha256sum', 1],
  ['shuf', 1],
  ['sort', 1],
  ['split', 1],
  ['tac', 1],
  ['tail', 1],
  ['tee', Number.POSITIVE_INFINITY],
  ['tr', Number.POSITIVE_INFINITY],
  ['uniq', 1],
  ['wc', 1],
  ['xxd', 1],
  ['xargs', Number.POSITIVE_INFINITY],
  ['read', Number.POSITIVE_INFINITY],
])

const GREP = /^-[A-Za-z]*[ABCmef]$/

/** Options of these programs whose value is the next word, and those that stand for the pattern or program. */
const WITH_VALUE: Readonly<Record<string, RegExp>> = {
  awk: /^-[Fvf]$/,
  cut: /^-[dfcb]$/,
  egrep: GREP,
  fgrep: GREP,
  grep: GREP,
  head: /^-[nc]$/,
  tail: /^-[nc]$/,
  column: /^-t?[so]$/,
  fold: /^-s?w$/,
  od: /^-[tA]$/,
  shuf: /^-[nie]$/,
  split: /^-[la]$/,
  xxd: /^-l$/,
  base64: /^-w$/,
  diff: /^-[UL]$/,
  sort: /^-[ktTS]$/,
  paste: /^-d$/,
  sed: /^-[ef]$/,
  uniq: /^-[fsw]$/,
  nl: /^-[bwsvi]$/,
  jq: /^--(?:arg|argjson|indent)$/,
  lua: /^-e$/,
}

/** A program of awk that reads no input. */
const ONLY_BEGIN = /^["']\s*BEGIN\s*\{(?![\s\S]*\bgetline\b)[^{}]*\}\s*["']$/

/** Whether commands read their standard input, as far as their words tell. */
export class Inputs {
  readonly #facts: Facts
  readonly #known = new Map<SyntaxNode, boolean>()

  constructor(facts: Facts) {
    this.#facts = facts
  }

  reads(node: SyntaxNode): boolean {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    // A function that calls itself reads what its other commands read.
    this.#known.set(node, false)
    const value = this.#look(node)
    this.#known.set(node, value)
    return value
  }

  /**
   * Whether commands at a place share their standard input with one that reads it: what they leave is the next one's.
   *
   * @param script - the nodes of the script; undefined where it has no standard input.
   */
  shared(place: Place, script: readonly SyntaxNode[] | undefined): boolean {
    const owner = ownerOf(place)
    if (owner === 'script') return script?.some((node) => this.reads(node)) === true
    return owner !== undefined && this.reads(owner)
  }

  /** Whether a place has a standard input, also by way of a substitution around it. */
  isThereThrough(place: Place, script: readonly SyntaxNode[] | undefined): boolean {
    for (let at: Place | undefined = place; at !== undefined; at = at.outer) {
      if (at !== place && !isSubstitution(at.node)) continue
      if (ownerOf(at) !== undefined) return this.isThere(at, script)
    }
    return false
  }

  /** Whether a place has a standard input. */
  isThere(place: Place, script: readonly SyntaxNode[] | undefined): boolean {
    const owner = ownerOf(place)
    return owner === 'script' ? script !== undefined : owner !== undefined
  }

  #look(node: SyntaxNode): boolean {
    switch (node.type) {
      case 'Command':
        return this.#command(node)
      case 'Pipeline':
        return node.commands[0] !== undefined && this.reads(node.commands[0])
      case 'Redirected':
        return !node.redirects.some(isInput) && this.reads(node.command)
      case 'Function':
      case 'ProcessSubstitution':
        return false
      default: {
        let found = false
        forEachChild(node, (child) => {
          found ||= this.reads(child)
        })
        return found
      }
    }
  }

  /** Whether a substitution in the words of a command reads what the command would. */
  #expansions(node: Command): boolean {
    return [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix].some(
      (part) => part.type !== 'HereDoc' && this.#substituted(part),
    )
  }

  #substituted(part: SyntaxNode): boolean {
    if (part.type === 'CommandExpansion' || part.type === 'ArithmeticCommandExpansion')
      return part.script !== undefined && this.reads(part.script)
    let found = false
    forEachChild(part, (child) => {
      found ||= this.#substituted(child)
    })
    return found
  }

  #command(node: Command): boolean {
    if (this.#expansions(node)) return true
    const name = nameOf(node)
    if (name === undefined || node.redirects.some(isInput)) return false
    const body = this.#facts.bodies.get(name)
    if (body !== undefined) return this.reads(body)
    const known = this.#facts.known.get(name)
    if (known !== undefined) return known.isReading
    const words = node.args.filter((arg) => arg.type === 'Word')
    if (ARCHIVERS.has(name)) return readsArchive(name, words.map(literalOf))
    const most = OPERANDS.get(name)
    if (most === undefined) return false
    let operands = 0
    for (let at = 0; at < words.length; at++) {
      const literal = literalOf(words[at])
      if (literal === '-' || literal === '/dev/stdin') return true
      if (literal !== undefined && WITH_VALUE[name]?.test(literal) === true) {
        // The pattern or the program itself.
        if (/^-[A-Za-z]*[ef]$/.test(literal)) operands++
        at++
      } else if (name.endsWith('grep') && literal !== undefined && /^-[A-Za-z]*[rR]/.test(literal))
        return false
      else if (name === 'jq' && literal !== undefined && /^-[a-z]*n/.test(literal)) return false
      else if (literal === undefined || !literal.startsWith('-')) operands++
    }
    if (name === 'awk' && words.some(({ text }) => ONLY_BEGIN.test(text))) return false
    if (name === 'lua' && words.some(({ text }) => /io\.(?:read|lines|stdin)/.test(text))) return true
    return operands < most
  }
}

/** Whether a redirection gives a command its standard input. */
export function isInput(one: Redirection): boolean {
  const { descriptor } = one
  if (descriptor !== undefined && (descriptor.type !== 'FileDescriptor' || descriptor.value !== 0))
    return false
  return one.type !== 'Redirect' || one.operator === '<' || one.operator === '<>' || one.operator === '<&'
}

/** What standard input at a place belongs to: commands, or the whole script. */
function ownerOf(place: Place): SyntaxNode | 'script' | undefined {
  let inner = place.node
  for (let at = place.outer; at !== undefined; at = at.outer) {
    const { node } = at
    if (node.type === 'Function') return node.body
    if (isSubstitution(node) || node.type === 'ProcessSubstitution') return undefined
    if (node.type === 'Pipeline' && node.commands.some((one, index) => one === inner && index > 0))
      return inner
    if (node.type === 'Redirected' && node.command === inner && node.redirects.some(isInput)) return inner
    inner = node
  }
  return 'script'
}
