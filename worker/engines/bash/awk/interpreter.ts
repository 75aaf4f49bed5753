import type { Pattern } from '../text/pattern.ts'
import { BUILTIN_FUNCTIONS, type BuiltinCall, COUNTS } from './builtins.ts'
import { Cell } from './cells.ts'
import { AwkError } from './lexer.ts'
import { type AwkProgram, constant, kid, type Node } from './nodes.ts'
import { compute } from './operators.ts'
import type { Runtime } from './runtime.ts'
import { compareValues, isTrue, toNumber, UNSET, type Value } from './values.ts'

/** What a program waits for. */
export type Wait = () => Promise<unknown>
export type Steps<T> = Generator<Wait, T, unknown>

export type Frame = readonly Cell[]

/** Calls inside each other. */
const MAX_DEPTH = 800

/** Runs the body of a function, and whatever waits: `statements.ts`. */
export interface Runner {
  body(body: Node, frame: Frame): Steps<Value>
  waiting(part: Node, frame: Frame): Steps<Value>
}

/** Values of expressions. */
export class Expressions {
  readonly runtime: Runtime
  readonly #program: AwkProgram
  readonly #runner: Runner
  #depth = 0

  constructor(runtime: Runtime, program: AwkProgram, runner: Runner) {
    this.runtime = runtime
    this.#program = program
    this.#runner = runner
  }

  cell(variable: Node, frame: Frame): Cell {
    return (variable.slot >= 0 ? frame[variable.slot] : undefined) ?? this.runtime.global(variable.text)
  }

  truth(part: Node, frame: Frame): boolean {
    return isTrue(this.value(part, frame))
  }

  /** The value of an expression that waits for nothing. */
  value(part: Node, frame: Frame): Value {
    const { runtime } = this
    switch (part.kind) {
      case 'const':
        return part.value
      case 'variable':
        return this.cell(part, frame).value
      case 'field':
        return runtime.record.get(Math.trunc(toNumber(this.value(kid(part, 0), frame))))
      case 'element': {
        const { array } = this.cell(kid(part, 0), frame)
        const key = this.key(part, frame)
        const found = array.get(key)
        if (found === undefined) runtime.store(array, key, UNSET)
        return found ?? UNSET
      }
      case 'group':
        return this.value(kid(part, 0), frame)
      case 'regex':
        return runtime.pattern(part.text).test(runtime.record.text) ? 1 : 0
      case 'concat':
        return runtime.bounded(
          runtime.text(this.value(kid(part, 0), frame)) + runtime.text(this.value(kid(part, 1), frame)),
        )
      case 'binary': {
        const left = toNumber(this.value(kid(part, 0), frame))
        return compute(part.text, left, toNumber(this.value(kid(part, 1), frame)))
      }
      case 'compare':
        return this.#compare(part, frame)
      case 'match': {
        const text = runtime.text(this.value(kid(part, 0), frame))
        return this.pattern(kid(part, 1), frame).test(text) === (part.text === '~') ? 1 : 0
      }
      case 'and':
        return this.truth(kid(part, 0), frame) && this.truth(kid(part, 1), frame) ? 1 : 0
      case 'or':
        return this.truth(kid(part, 0), frame) || this.truth(kid(part, 1), frame) ? 1 : 0
      case 'condition':
        return this.value(kid(part, this.truth(kid(part, 0), frame) ? 1 : 2), frame)
      case 'in':
        return this.cell(kid(part, 0), frame).array.has(this.key(part, frame)) ? 1 : 0
      case 'not':
        return this.truth(kid(part, 0), frame) ? 0 : 1
      case 'minus':
        return -toNumber(this.value(kid(part, 0), frame))
      case 'plus':
        return toNumber(this.value(kid(part, 0), frame))
      case 'assign':
        return this.#assign(part, frame)
      case 'before':
      case 'after': {
        const old = toNumber(this.value(kid(part, 0), frame))
        const value = part.text === '++' ? old + 1 : old - 1
        this.assign(kid(part, 0), value, frame)
        return part.kind === 'before' ? value : old
      }
      case 'call':
        return finish(this.call(part, frame))
      case 'builtin':
        return this.#builtin(part, frame)
      default:
        throw new TypeError(`${part.kind} has no value`)
    }
  }

  /** The key of an element: its first part is the array. */
  key(part: Node, frame: Frame): string {
    if (part.kids.length === 2) return this.runtime.text(this.value(kid(part, 1), frame))
    return this.runtime.key(part.kids.slice(1).map((each) => this.value(each, frame)))
  }

  #compare(part: Node, frame: Frame): Value {
    const { runtime } = this
    const text = (value: Value) =>
      runtime.ignoresCase ? runtime.text(value).toLowerCase() : runtime.text(value)
    const order = compareValues(this.value(kid(part, 0), frame), this.value(kid(part, 1), frame), text)
    switch (part.text) {
      case '<':
        return order < 0 ? 1 : 0
      case '<=':
        return order <= 0 ? 1 : 0
      case '==':
        return order === 0 ? 1 : 0
      case '!=':
        return order !== 0 ? 1 : 0
      case '>':
        return order > 0 ? 1 : 0
      default:
        return order >= 0 ? 1 : 0
    }
  }

  pattern(part: Node, frame: Frame): Pattern {
    const inner = part.kind === 'group' ? kid(part, 0) : part
    if (inner.kind === 'regex') return this.runtime.pattern(inner.text)
    return this.runtime.pattern(this.runtime.text(this.value(part, frame)))
  }

  #assign(part: Node, frame: Frame): Value {
    const target = kid(part, 0)
    const right = this.value(kid(part, 1), frame)
    if (part.text === '') return this.assign(target, right, frame)
    const left = toNumber(this.value(target, frame))
    return this.assign(target, compute(part.text, left, toNumber(right)), frame)
  }

  assign(target: Node, value: Value, frame: Frame): Value {
    if (target.kind === 'variable') this.cell(target, frame).value = value
    else if (target.kind === 'element') {
      const key = this.key(target, frame)
      this.runtime.store(this.cell(kid(target, 0), frame).array, key, value)
    } else if (target.kind === 'field')
      this.runtime.record.assign(Math.trunc(toNumber(this.value(kid(target, 0), frame))), value)
    else throw new AwkError('only a variable, an element or a field can be assigned')
    return value
  }

  /** Calls a function of the program. */
  *call(part: Node, frame: Frame): Steps<Value> {
    const definition = this.#program.functions.get(part.text)
    if (definition === undefined) throw new AwkError(`function \`${part.text}' not defined`)
    const { parameters, body } = definition
    if (part.kids.length > parameters.length)
      throw new AwkError(`function \`${part.text}' called with more arguments than declared`)
    const cells: Cell[] = []
    for (const [at, name] of parameters.entries()) {
      const given = part.kids[at]
      if (given?.kind === 'variable') cells.push(this.cell(given, frame).passed(name))
      else {
        const cell = new Cell(name)
        if (given !== undefined)
          cell.value = given.waits ? yield* this.#runner.waiting(given, frame) : this.value(given, frame)
        cells.push(cell)
      }
    }
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new AwkError(`more than ${MAX_DEPTH} calls inside each other`)
    try {
      return yield* this.#runner.body(body, cells)
    } finally {
      this.#depth -= 1
    }
  }

  #builtin(part: Node, frame: Frame): Value {
    const run = BUILTIN_FUNCTIONS[part.text]
    if (run === undefined) throw new AwkError(`${part.text}() is not known here`)
    const [low, high] = COUNTS[part.text] ?? [1, 1]
    if (part.kids.length < low || part.kids.length > high)
      throw new AwkError(`${part.kids.length} is invalid as number of arguments for ${part.text}`, 1)
    const at = (index: number): Node => part.kids[index] ?? constant('')
    const call: BuiltinCall = {
      name: part.text,
      count: part.kids.length,
      value: (index) => this.value(at(index), frame),
      pattern: (index) => this.pattern(at(index), frame),
      array: (index) => this.cell(at(index), frame).array,
      isArray: (index) => at(index).kind === 'variable' && this.cell(at(index), frame).isArray,
      isRegex: (index) => at(index).kind === 'regex',
      assign: (index, value) => {
        if (['variable', 'element', 'field'].includes(at(index).kind)) this.assign(at(index), value, frame)
      },
    }
    return run(call, this.runtime)
  }
}

/** Ends steps that wait for nothing. */
function finish<T>(steps: Steps<T>): T {
  const { done, value } = steps.next()
  if (done !== true) throw new TypeError('A part waits that was not marked.')
  return value
}
