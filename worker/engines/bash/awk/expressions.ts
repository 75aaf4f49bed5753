import { builtinCode } from './builtins.ts'
import type { Scope } from './cells.ts'
import { awaited, type Code, choose, type Frame, lift1, lift2, list, waiting } from './code.ts'
import type { Compiler } from './compiler.ts'
import { AwkError } from './error.ts'
import { readRecord } from './input.ts'
import type { Cell } from './machine.ts'
import type { AwkFunction, Expression, Target } from './nodes.ts'
import { compare, input, isTrue, toNumber, UNSET, type Value } from './values.ts'

/** A function whose body is compiled when it is needed. */
export interface Callable {
  readonly definition: AwkFunction
  call(frame: Frame, args: Cell[]): Generator<Promise<unknown>, Value, unknown>
}

/** Compiles expressions of one program. */
export class Expressions implements Compiler {
  readonly scope: Scope
  readonly #functions: ReadonlyMap<string, Callable>

  constructor(scope: Scope, functions: ReadonlyMap<string, Callable>) {
    this.scope = scope
    this.#functions = functions
  }

  code(node: Expression): Code<Value> {
    switch (node.type) {
      case 'number':
      case 'string': {
        const { value } = node
        return { run: () => value }
      }
      case 'regex':
        return { run: ({ machine }) => (machine.matches(machine.record, node.source) ? 1 : 0) }
      case 'group':
        return this.code(node.inner)
      case 'name': {
        const place = this.scope.place(node.name)
        return { run: (frame) => place.get(frame) }
      }
      case 'field':
        return lift1(this.code(node.index), ({ machine }, index) => machine.field(toNumber(index)))
      case 'element': {
        const place = this.scope.place(node.array)
        return lift1(this.key(node.keys), (frame, key) => {
          const array = place.array(frame)
          const value = array.get(key)
          if (value === undefined) frame.machine.put(array, key, UNSET)
          return value ?? UNSET
        })
      }
      case 'unary':
        return lift1(this.code(node.operand), (_, value) =>
          node.operator === '!'
            ? isTrue(value)
              ? 0
              : 1
            : node.operator === '-'
              ? -toNumber(value)
              : toNumber(value),
        )
      case 'binary':
        return this.#binary(node.operator, node.left, node.right)
      case 'match':
        return lift2(this.text(node.left), this.pattern(node.right), ({ machine }, text, source) =>
          machine.matches(text, source) !== node.not ? 1 : 0,
        )
      case 'and':
        return choose(this.test(node.left), this.#truth(node.right), { run: () => 0 })
      case 'or':
        return choose(this.test(node.left), { run: () => 1 }, this.#truth(node.right))
      case 'choose':
        return choose(this.test(node.test), this.code(node.yes), this.code(node.no))
      case 'in': {
        const place = this.scope.place(node.array)
        return lift1(this.key(node.keys), (frame, key) => (place.array(frame).has(key) ? 1 : 0))
      }
      case 'assign':
        return this.#assign(node.operator, node.target, node.value)
      case 'step':
        return this.#step(node.target, node.by, node.prefix)
      case 'call':
        return this.#call(node.name, node.args)
      case 'builtin':
        return builtinCode(node.name, node.args, this)
      case 'getline':
        return this.#getline(node)
    }
  }

  text(node: Expression): Code<string> {
    return lift1(this.code(node), ({ machine }, value) => machine.text(value))
  }

  number(node: Expression): Code<number> {
    return lift1(this.code(node), (_, value) => toNumber(value))
  }

  test(node: Expression): Code<boolean> {
    return lift1(this.code(node), (_, value) => isTrue(value))
  }

  /** The source of a regular expression. */
  pattern(node: Expression): Code<string> {
    const inner = node.type === 'group' ? node.inner : node
    if (inner.type === 'regex') return { run: () => inner.source }
    return this.text(node)
  }

  /** The key of an element: several are joined. */
  key(nodes: readonly Expression[]): Code<string> {
    const [only] = nodes
    if (only !== undefined && nodes.length === 1)
      return lift1(this.code(only), ({ machine }, value) =>
        typeof value === 'number' && Number.isInteger(value) ? String(value) : machine.text(value),
      )
    return lift1(list(nodes.map((node) => this.text(node))), ({ machine }, keys) =>
      keys.join(machine.text(machine.special('SUBSEP'))),
    )
  }

  /** Puts a value into what is assigned to; the place is found first. */
  store<T>(
    target: Target,
    value: Code<T>,
    make: (frame: Frame, old: () => Value, value: T) => { kept: Value; given: Value },
  ): Code<Value> {
    switch (target.type) {
      case 'name': {
        const place = this.scope.place(target.name)
        return lift1(value, (frame, right) => {
          const { kept, given } = make(frame, () => place.get(frame), right)
          place.set(frame, kept)
          return given
        })
      }
      case 'field':
        return lift2(this.number(target.index), value, (frame, index, right) => {
          const { kept, given } = make(frame, () => frame.machine.field(index), right)
          frame.machine.setField(index, kept)
          return given
        })
      case 'element': {
        const place = this.scope.place(target.array)
        return lift2(this.key(target.keys), value, (frame, key, right) => {
          const array = place.array(frame)
          const { kept, given } = make(frame, () => array.get(key) ?? UNSET, right)
          frame.machine.put(array, key, kept)
          return given
        })
      }
    }
  }

  #truth(node: Expression): Code<Value> {
    return lift1(this.code(node), (_, value) => (isTrue(value) ? 1 : 0))
  }

  #binary(operator: string, left: Expression, right: Expression): Code<Value> {
    if (operator === ' ')
      return lift2(this.text(left), this.text(right), ({ machine }, a, b) => machine.bounded(a + b))
    const order = ORDERS[operator]
    if (order !== undefined)
      return lift2(this.code(left), this.code(right), ({ machine }, a, b) =>
        order(compare(a, b, machine.text(machine.special('CONVFMT')))) ? 1 : 0,
      )
    return lift2(this.number(left), this.number(right), (_, a, b) => compute(operator, a, b))
  }

  #assign(operator: string, target: Target, value: Expression): Code<Value> {
    if (operator === '')
      return this.store(target, this.code(value), (_frame, _old, right) => ({ kept: right, given: right }))
    return this.store(target, this.number(value), (_, old, right) => {
      const result = compute(operator, toNumber(old()), right)
      return { kept: result, given: result }
    })
  }

  #step(target: Target, by: number, prefix: boolean): Code<Value> {
    return this.store(target, { run: () => by }, (_, old, step) => {
      const before = toNumber(old())
      return { kept: before + step, given: prefix ? before + step : before }
    })
  }

  #call(name: string, args: readonly Expression[]): Code<Value> {
    const called = this.#functions.get(name)
    if (called === undefined) throw new AwkError(`function ${name} not defined`)
    if (args.length > called.definition.parameters.length)
      throw new AwkError(`function ${name} called with more arguments than declared`)
    const passed = args.map((node): Code<Cell> => {
      if (node.type !== 'name') return this.code(node)
      const place = this.scope.place(node.name)
      return { run: (frame) => place.passed(frame) }
    })
    const all = waiting(list(passed))
    return {
      *wait(frame) {
        return yield* called.call(frame, yield* all(frame))
      },
    }
  }

  #getline({ from, source, target }: Extract<Expression, { type: 'getline' }>): Code<Value> {
    const name = source === undefined ? undefined : this.text(source)
    const read = awaited<string | undefined, string | number>(
      name ?? { run: () => undefined },
      ({ machine }, text) => readRecord(machine, from, text ?? ''),
    )
    const line = waiting(read)
    const pending: { text: string } = { text: '' }
    const stored =
      target === undefined
        ? undefined
        : waiting(
            this.store(target, { run: () => pending.text }, (_f, _o, text) => ({
              kept: input(text),
              given: 1,
            })),
          )
    return {
      *wait(frame) {
        const result = yield* line(frame)
        if (typeof result === 'number') return result
        pending.text = result
        if (stored === undefined) frame.machine.record = result
        else yield* stored(frame)
        return 1
      },
    }
  }
}

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function compute(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      if (b === 0) throw new AwkError('division by zero attempted')
      return a / b
    case '%':
      if (b === 0) throw new AwkError('division by zero attempted in %')
      return a % b
    default:
      return a ** b
  }
}
