import { type Bound, destructure, namesOf } from './destructure.ts'
import { formatted } from './formats.ts'
import { CompileError } from './lexer.ts'
import type { Node } from './nodes.ts'
import { operate } from './operators.ts'
import { deletePaths, getKey, slice, updatePath } from './paths.ts'
import { type Closure, functionName, isClosure, lookUp, Scope } from './scope.ts'
import {
  compare,
  isArray,
  isObject,
  isTrue,
  JqError,
  type Json,
  nextOf,
  typeOf,
  writeJson,
} from './values.ts'

export type Path = readonly Json[]

/** What a program gives: a value, and where it stands if that is asked for. */
export interface Output {
  readonly value: Json
  readonly path: Path | undefined
}

export type Outputs = Generator<Output, void, undefined>

/** Stands for the path of a value that is computed. */
const NO_PATH: Path = Object.freeze(['computed'])

/** Leaves everything up to its label. */
class Break extends Error {
  readonly label: symbol

  constructor(label: symbol) {
    super('break')
    this.label = label
  }
}

/** Functions that get their arguments unevaluated. */
export type Form = (
  run: Interpreter,
  args: readonly Node[],
  scope: Scope | undefined,
  input: Output,
) => Outputs

/** Functions of values. */
export type Plain = (input: Json, ...args: Json[]) => Json

/** What programs may call. Names are those of `functionName`. */
export interface Library {
  readonly forms: ReadonlyMap<string, Form>
  readonly plain: ReadonlyMap<string, Plain>
  readonly defined: ReadonlyMap<string, Closure>
}

/** Runs a program. Outputs are made when they are asked for. */
export class Interpreter {
  readonly #library: Library
  readonly #step: () => void

  /** @param step - called at every step; what it throws ends the program. */
  constructor(library: Library, step: () => void) {
    this.#library = library
    this.#step = step
  }

  /** The values of a piece, without their paths. */
  *values(node: Node, scope: Scope | undefined, value: Json): Generator<Json, void, undefined> {
    for (const output of this.run(node, scope, { value, path: undefined })) yield output.value
  }

  /** The paths of a piece. */
  *paths(node: Node, scope: Scope | undefined, value: Json): Generator<Path, void, undefined> {
    for (const output of this.run(node, scope, { value, path: [] })) {
      if (output.path === undefined || output.path === NO_PATH) throw invalidPath(output.value)
      yield output.path
    }
  }

  *run(node: Node, scope: Scope | undefined, input: Output): Outputs {
    this.#step()
    switch (node.type) {
      case 'identity':
        yield input
        return
      case 'recurse':
        yield* recurse(input)
        return
      case 'literal':
        yield computed(node.value, input)
        return
      case 'pipe':
        for (const output of this.run(node.left, scope, input)) yield* this.run(node.right, scope, output)
        return
      case 'comma':
        yield* this.run(node.left, scope, input)
        yield* this.run(node.right, scope, input)
        return
      case 'index':
        for (const key of this.values(node.key, scope, input.value))
          for (const output of this.run(node.target, scope, input)) yield child(output, key)
        return
      case 'slice':
        yield* this.#slice(node, scope, input)
        return
      case 'each':
        for (const output of this.run(node.target, scope, input)) yield* each(output)
        return
      case 'call':
        yield* this.#call(node, scope, input)
        return
      case 'variable':
        yield computed(this.#variable(node.name, scope), input)
        return
      case 'if':
        for (const condition of this.values(node.condition, scope, input.value)) {
          const branch = isTrue(condition) ? node.yes : node.no
          if (branch === undefined) yield input
          else yield* this.run(branch, scope, input)
        }
        return
      case 'otherwise':
        yield* this.#otherwise(node, scope, input)
        return
      case 'try':
        yield* this.#try(node, scope, input)
        return
      case 'as':
        for (const value of this.values(node.source, scope, input.value))
          yield* this.#bind(node, value, scope, input)
        return
      case 'define': {
        const { name, parameters, body } = node.definition
        yield* this.run(node.body, define(name, parameters, body, scope), input)
        return
      }
      case 'label':
        yield* this.#label(node, scope, input)
        return
      case 'break': {
        const label = lookUp(scope, `*${node.name}`)?.value
        if (typeof label !== 'symbol') throw new CompileError(`$*label-${node.name} is not defined`)
        throw new Break(label)
      }
      case 'reduce':
        yield* this.#reduce(node, scope, input)
        return
      case 'foreach':
        yield* this.#foreach(node, scope, input)
        return
      default:
        for (const value of this.#compute(node, scope, input.value)) yield computed(value, input)
    }
  }

  /** Pieces whose values stand nowhere in the input. */
  *#compute(
    node: Extract<
      Node,
      { type: 'text' | 'format' | 'array' | 'object' | 'negative' | 'and' | 'or' | 'binary' | 'assign' }
    >,
    scope: Scope | undefined,
    input: Json,
  ): Generator<Json, void, undefined> {
    switch (node.type) {
      case 'text':
        yield* this.#text(node.parts, node.format, scope, input)
        return
      case 'format':
        yield formatted(node.name, input)
        return
      case 'array':
        yield node.body === undefined ? [] : [...this.values(node.body, scope, input)]
        return
      case 'object':
        yield* this.#object(node.entries, 0, new Map(), scope, input)
        return
      case 'negative':
        for (const value of this.values(node.body, scope, input)) {
          if (typeof value !== 'number')
            throw new JqError(`${typeOf(value)} (${writeJson(value)}) cannot be negated`)
          yield -value
        }
        return
      case 'and':
      case 'or':
        for (const left of this.values(node.left, scope, input)) {
          if (isTrue(left) === (node.type === 'or')) yield isTrue(left)
          else for (const right of this.values(node.right, scope, input)) yield isTrue(right)
        }
        return
      case 'binary':
        for (const right of this.values(node.right, scope, input))
          for (const left of this.values(node.left, scope, input)) yield operate(node.operator, left, right)
        return
      default:
        yield* this.#assign(node, scope, input)
    }
  }

  *#slice(node: Extract<Node, { type: 'slice' }>, scope: Scope | undefined, input: Output): Outputs {
    const ends = node.to === undefined ? [null] : [...this.values(node.to, scope, input.value)]
    const starts = node.from === undefined ? [null] : [...this.values(node.from, scope, input.value)]
    for (const end of ends)
      for (const start of starts)
        for (const output of this.run(node.target, scope, input)) {
          const key = new Map<string, Json>([
            ['start', start],
            ['end', end],
          ])
          yield { value: slice(output.value, start, end), path: extended(output, key) }
        }
  }

  *#text(
    parts: readonly (string | Node)[],
    format: string,
    scope: Scope | undefined,
    input: Json,
    at = parts.length - 1,
    after = '',
  ): Generator<string, void, undefined> {
    const part = parts[at]
    if (part === undefined) yield after
    else if (typeof part === 'string') yield* this.#text(parts, format, scope, input, at - 1, part + after)
    else
      for (const value of this.values(part, scope, input)) {
        const text = formatted(format === '' ? '@text' : format, value)
        yield* this.#text(parts, format, scope, input, at - 1, text + after)
      }
  }

  *#object(
    entries: Extract<Node, { type: 'object' }>['entries'],
    at: number,
    object: ReadonlyMap<string, Json>,
    scope: Scope | undefined,
    input: Json,
  ): Generator<Json, void, undefined> {
    const entry = entries[at]
    if (entry === undefined) {
      yield object
      return
    }
    for (const key of this.values(entry.key, scope, input)) {
      if (typeof key !== 'string') throw new JqError(`Object keys must be strings`)
      for (const value of this.values(entry.value, scope, input))
        yield* this.#object(entries, at + 1, new Map(object).set(key, value), scope, input)
    }
  }

  *#otherwise(node: Extract<Node, { type: 'otherwise' }>, scope: Scope | undefined, input: Output): Outputs {
    let any = false
    try {
      for (const output of this.run(node.left, scope, input)) {
        if (!isTrue(output.value)) continue
        any = true
        yield output
      }
    } catch (error) {
      // Only what comes before an error counts.
      if (!(error instanceof JqError)) throw error
    }
    if (!any) yield* this.run(node.right, scope, input)
  }

  *#try(node: Extract<Node, { type: 'try' }>, scope: Scope | undefined, input: Output): Outputs {
    try {
      yield* this.run(node.body, scope, input)
    } catch (error) {
      if (!(error instanceof JqError)) throw error
      if (node.handler !== undefined) yield* this.run(node.handler, scope, computed(error.value, input))
    }
  }

  *#bind(
    { patterns, body }: Extract<Node, { type: 'as' }>,
    value: Json,
    scope: Scope | undefined,
    input: Output,
  ): Outputs {
    const [first] = patterns
    if (patterns.length === 1 && first !== undefined) {
      for (const bound of destructure(first, value, scope, this))
        yield* this.run(body, extend(scope, bound), input)
      return
    }
    const unset: Bound = patterns.flatMap(namesOf).map((name) => [name, null] as const)
    for (const [at, pattern] of patterns.entries())
      try {
        for (const bound of destructure(pattern, value, scope, this))
          yield* this.run(body, extend(scope, [...unset, ...bound]), input)
        return
      } catch (error) {
        if (!(error instanceof JqError) || at === patterns.length - 1) throw error
      }
  }

  *#label(node: Extract<Node, { type: 'label' }>, scope: Scope | undefined, input: Output): Outputs {
    const label = Symbol(node.name)
    try {
      yield* this.run(node.body, new Scope(`*${node.name}`, label, scope), input)
    } catch (error) {
      if (!(error instanceof Break) || error.label !== label) throw error
    }
  }

  *#reduce(node: Extract<Node, { type: 'reduce' }>, scope: Scope | undefined, input: Output): Outputs {
    for (const start of this.run(node.start, scope, input)) {
      let state: Output = start
      for (const item of this.values(node.source, scope, input.value))
        for (const bound of destructure(node.pattern, item, scope, this)) {
          let last: Output | undefined
          for (const output of this.run(node.update, extend(scope, bound), state)) last = output
          state = last ?? computed(null, input)
        }
      yield state
    }
  }

  *#foreach(node: Extract<Node, { type: 'foreach' }>, scope: Scope | undefined, input: Output): Outputs {
    for (const start of this.run(node.start, scope, input)) {
      let state: Output = start
      for (const item of this.values(node.source, scope, input.value))
        for (const bound of destructure(node.pattern, item, scope, this)) {
          const inner = extend(scope, bound)
          for (const output of this.run(node.update, inner, state)) {
            state = output
            if (node.extract === undefined) yield output
            else yield* this.run(node.extract, inner, output)
          }
        }
    }
  }

  *#assign(
    { operator, left, right }: Extract<Node, { type: 'assign' }>,
    scope: Scope | undefined,
    input: Json,
  ): Generator<Json, void, undefined> {
    if (operator === '|=') {
      yield this.#update(left, scope, input, (old) => nextOf(this.values(right, scope, old)))
      return
    }
    const combine = (old: Json, value: Json): Json => {
      if (operator === '=') return value
      if (operator === '//=') return isTrue(old) ? old : value
      return operate(operator.slice(0, -1), old, value)
    }
    for (const value of this.values(right, scope, input))
      yield this.#update(left, scope, input, (old) => combine(old, value))
  }

  /** The input with what is at each path updated, or deleted where there is no update. */
  #update(left: Node, scope: Scope | undefined, input: Json, update: (old: Json) => Json | undefined): Json {
    let result = input
    const deleted: Path[] = []
    for (const path of [...this.paths(left, scope, input)]) {
      result = updatePath(result, path, (old) => {
        const updated = update(old)
        if (updated === undefined) deleted.push(path)
        return updated === undefined ? old : updated
      })
    }
    return deleted.length === 0 ? result : deletePaths(result, deleted, compare)
  }

  #variable(name: string, scope: Scope | undefined): Json {
    const found = lookUp(scope, `$${name}`)
    if (found === undefined || typeof found.value === 'symbol' || isClosure(found.value))
      throw new CompileError(`$${name} is not defined`)
    return found.value
  }

  *#call({ name, args }: Extract<Node, { type: 'call' }>, scope: Scope | undefined, input: Output): Outputs {
    const key = functionName(name, args.length)
    const found = lookUp(scope, key)
    const closure = found === undefined ? this.#library.defined.get(key) : found.value
    if (closure !== undefined && closure !== null && typeof closure === 'object' && isClosure(closure)) {
      const inner = closure.named ? found : closure.scope
      yield* this.#parameters(closure.parameters, args, 0, scope, inner, closure.body, input)
      return
    }
    const form = this.#library.forms.get(key)
    if (form !== undefined) {
      yield* form(this, args, scope, input)
      return
    }
    const plain = this.#library.plain.get(key)
    if (plain === undefined) throw new CompileError(`${key} is not defined`)
    for (const values of this.#products(args, scope, input.value))
      yield computed(plain(input.value, ...values), input)
  }

  /** All combinations of the arguments' values. */
  *#products(
    args: readonly Node[],
    scope: Scope | undefined,
    input: Json,
  ): Generator<Json[], void, undefined> {
    const [first, ...rest] = args
    if (first === undefined) {
      yield []
      return
    }
    for (const others of this.#products(rest, scope, input))
      for (const value of this.values(first, scope, input)) yield [value, ...others]
  }

  *#parameters(
    parameters: readonly string[],
    args: readonly Node[],
    at: number,
    scope: Scope | undefined,
    inner: Scope | undefined,
    body: Node,
    input: Output,
  ): Outputs {
    const name = parameters[at]
    const arg = args[at]
    if (name === undefined || arg === undefined) {
      yield* this.run(body, inner, input)
      return
    }
    if (!name.startsWith('$')) {
      const bound = new Scope(functionName(name, 0), argument(arg, scope), inner)
      yield* this.#parameters(parameters, args, at + 1, scope, bound, body, input)
      return
    }
    for (const value of this.values(arg, scope, input.value)) {
      const literal: Closure = argument({ type: 'literal', value }, undefined)
      const bound = new Scope(functionName(name.slice(1), 0), literal, new Scope(name, value, inner))
      yield* this.#parameters(parameters, args, at + 1, scope, bound, body, input)
    }
  }
}

const argument = (body: Node, scope: Scope | undefined): Closure => ({
  named: false,
  parameters: [],
  body,
  scope,
})

const define = (name: string, parameters: readonly string[], body: Node, scope: Scope | undefined) =>
  new Scope(functionName(name, parameters.length), { named: true, parameters, body, scope: undefined }, scope)

const extend = (scope: Scope | undefined, bound: Bound): Scope | undefined =>
  bound.reduce<Scope | undefined>((outer, [name, value]) => new Scope(`$${name}`, value, outer), scope)

const computed = (value: Json, input: Output): Output => ({
  value,
  path: input.path === undefined ? undefined : NO_PATH,
})

const invalidPath = (value: Json) => new JqError(`Invalid path expression with result ${writeJson(value)}`)

export function extended({ value, path }: Output, key: Json): Path | undefined {
  if (path === undefined) return undefined
  if (path === NO_PATH) throw invalidPath(value)
  return [...path, key]
}

function child(output: Output, key: Json): Output {
  return { path: extended(output, key), value: getKey(output.value, key) }
}

/** `.[]` */
function* each(output: Output): Outputs {
  const { value } = output
  if (isArray(value))
    for (const [at, item] of value.entries()) yield { value: item, path: extended(output, at) }
  else if (isObject(value))
    for (const [key, item] of value) yield { value: item, path: extended(output, key) }
  else
    throw new JqError(`Cannot iterate over ${typeOf(value)}${value === null ? '' : ` (${writeJson(value)})`}`)
}

/** `..` */
export function* recurse(output: Output): Outputs {
  yield output
  if (isArray(output.value) || isObject(output.value)) for (const inner of each(output)) yield* recurse(inner)
}
