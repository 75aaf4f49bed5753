import { namesOf } from './destructure.ts'
import type { Library } from './interpreter.ts'
import { CompileError } from './lexer.ts'
import type { Destructuring, Node } from './nodes.ts'
import { functionName } from './scope.ts'

/** Names that hold at a place: `f/1`, `$x`, `*label`. */
type Names = ReadonlySet<string>

/** Finds names that nothing binds, before anything runs. @throws {CompileError} */
export function check(program: Node, library: Library, variables: readonly string[]): void {
  new Checker(library).node(
    program,
    new Set(['$__prog_args', '$__loc__', ...variables.map((name) => `$${name}`)]),
  )
}

class Checker {
  readonly #library: Library

  constructor(library: Library) {
    this.#library = library
  }

  node(node: Node, names: Names): void {
    switch (node.type) {
      case 'variable':
        if (!names.has(`$${node.name}`)) throw new CompileError(`$${node.name} is not defined`)
        return
      case 'break':
        if (!names.has(`*${node.name}`)) throw new CompileError(`$*label-${node.name} is not defined`)
        return
      case 'call':
        this.#call(node, names)
        return
      case 'label':
        this.node(node.body, new Set([...names, `*${node.name}`]))
        return
      case 'as':
        this.node(node.source, names)
        this.node(node.body, this.#bound(node.patterns, names))
        return
      case 'reduce':
      case 'foreach': {
        const inner = this.#bound([node.pattern], names)
        this.node(node.source, names)
        this.node(node.start, names)
        this.node(node.update, inner)
        if (node.type === 'foreach' && node.extract !== undefined) this.node(node.extract, inner)
        return
      }
      case 'define': {
        const { name, parameters, body } = node.definition
        const known = new Set([...names, functionName(name, parameters.length)])
        const own = parameters.flatMap((one) =>
          one.startsWith('$') ? [one, functionName(one.slice(1), 0)] : [functionName(one, 0)],
        )
        this.node(body, new Set([...known, ...own]))
        this.node(node.body, known)
        return
      }
      default:
        this.#inside(node, names)
    }
  }

  #call({ name, args }: Extract<Node, { type: 'call' }>, names: Names): void {
    const key = functionName(name, args.length)
    const { forms, plain, defined } = this.#library
    if (!names.has(key) && !forms.has(key) && !plain.has(key) && !defined.has(key))
      throw new CompileError(`${key} is not defined`)
    for (const arg of args) this.node(arg, names)
  }

  #bound(patterns: readonly Destructuring[], names: Names): Names {
    const bound = new Set([...names, ...patterns.flatMap(namesOf).map((name) => `$${name}`)])
    for (const pattern of patterns) this.#keys(pattern, bound)
    return bound
  }

  #keys(pattern: Destructuring, names: Names): void {
    if (pattern.kind === 'list') for (const item of pattern.items) this.#keys(item, names)
    else if (pattern.kind === 'fields')
      for (const { key, value } of pattern.fields) {
        this.node(key, names)
        if (value !== undefined) this.#keys(value, names)
      }
  }

  #inside(value: object, names: Names): void {
    for (const inner of Object.values(value)) {
      if (typeof inner !== 'object' || inner === null || inner instanceof Map) continue
      if (isNode(inner)) this.node(inner, names)
      else this.#inside(inner, names)
    }
  }
}

const isNode = (value: object): value is Node => 'type' in value && typeof value.type === 'string'
