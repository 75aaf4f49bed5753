import { formatValues } from './format.ts'
import { Expressions, type Frame, type Runner, type Steps } from './interpreter.ts'
import { keysInOrder } from './key-order.ts'
import type { MainInput } from './main-input.ts'
import { type AwkProgram, constant, kid, type Node } from './nodes.ts'
import type { Runtime } from './runtime.ts'
import { sortedPairs } from './sorting.ts'
import { isTrue, toNumber, UNSET, type Value } from './values.ts'
import { WaitingExpressions } from './waiting.ts'

/** How a statement ended, where it did not come to its end. */
export type Ending = 'break' | 'continue' | 'next' | 'nextfile' | 'exit' | 'return'

/** Leaves a function by `next` or `exit`. */
export class Leave extends Error {
  readonly ending: Ending

  constructor(ending: Ending) {
    super(ending)
    this.ending = ending
  }
}

/** Carries out statements. */
export class Statements implements Runner {
  readonly #expressions: Expressions
  readonly #waiting: WaitingExpressions
  readonly #runtime: Runtime
  #returned: Value = UNSET
  exitCode = 0

  constructor(runtime: Runtime, program: AwkProgram, input: MainInput) {
    this.#runtime = runtime
    this.#expressions = new Expressions(runtime, program, this)
    this.#waiting = new WaitingExpressions(this.#expressions, input)
  }

  waiting(part: Node, frame: Frame): Steps<Value> {
    return this.#waiting.value(part, frame)
  }

  *body(body: Node, frame: Frame): Steps<Value> {
    this.#returned = UNSET
    const ending = yield* this.run(body, frame)
    if (ending !== undefined && ending !== 'return') throw new Leave(ending)
    const returned = this.#returned
    this.#returned = UNSET
    return returned
  }

  *value(part: Node, frame: Frame): Steps<Value> {
    return part.waits ? yield* this.#waiting.value(part, frame) : this.#expressions.value(part, frame)
  }

  *run(part: Node, frame: Frame): Steps<Ending | undefined> {
    this.#runtime.step()
    switch (part.kind) {
      case 'block':
        for (const each of part.kids) {
          const ending = yield* this.run(each, frame)
          if (ending !== undefined) return ending
        }
        return undefined
      case 'empty':
        return undefined
      case 'evaluate':
        yield* this.value(kid(part, 0), frame)
        return undefined
      case 'print':
        yield* this.#print(part, frame)
        return undefined
      case 'printf':
        yield* this.#printf(part, frame)
        return undefined
      case 'if': {
        const chosen = isTrue(yield* this.value(kid(part, 0), frame)) ? part.kids[1] : part.kids[2]
        return chosen === undefined ? undefined : yield* this.run(chosen, frame)
      }
      case 'while':
        return yield* this.#loop(undefined, kid(part, 0), undefined, kid(part, 1), frame)
      case 'do': {
        const ending = yield* this.run(kid(part, 0), frame)
        if (ending === 'break') return undefined
        if (ending !== undefined && ending !== 'continue') return ending
        return yield* this.#loop(undefined, kid(part, 1), undefined, kid(part, 0), frame)
      }
      case 'for':
        return yield* this.#loop(kid(part, 0), kid(part, 1), kid(part, 2), kid(part, 3), frame)
      case 'forIn':
        return yield* this.#forIn(part, frame)
      case 'switch':
        return yield* this.#switch(part, frame)
      case 'delete': {
        const { array } = this.#expressions.cell(kid(part, 0), frame)
        array.delete(this.#expressions.key(part, frame))
        return undefined
      }
      case 'clear':
        this.#expressions.cell(kid(part, 0), frame).array.clear()
        return undefined
      case 'exit':
        if (part.kids[0] !== undefined)
          this.exitCode = Math.trunc(toNumber(yield* this.value(part.kids[0], frame))) & 255
        return 'exit'
      case 'return': {
        const value = part.kids[0] === undefined ? UNSET : yield* this.value(part.kids[0], frame)
        this.#returned = value
        return 'return'
      }
      case 'break':
      case 'continue':
      case 'next':
      case 'nextfile':
        return part.kind
      default:
        throw new TypeError(`${part.kind} is no statement`)
    }
  }

  *#loop(
    start: Node | undefined,
    condition: Node,
    step: Node | undefined,
    body: Node,
    frame: Frame,
  ): Steps<Ending | undefined> {
    if (start !== undefined) yield* this.run(start, frame)
    while (condition.kind === 'empty' || isTrue(yield* this.value(condition, frame))) {
      const ending = yield* this.run(body, frame)
      if (ending === 'break') return undefined
      if (ending !== undefined && ending !== 'continue') return ending
      if (step !== undefined) yield* this.run(step, frame)
    }
    return undefined
  }

  *#forIn(part: Node, frame: Frame): Steps<Ending | undefined> {
    const { array } = this.#expressions.cell(kid(part, 1), frame)
    const order = this.#runtime.globals.get('PROCINFO')?.array.get('sorted_in')
    const keys =
      order === undefined
        ? keysInOrder(array.keys())
        : sortedPairs(array, this.#runtime.text(order), this.#runtime).map(([key]) => key)
    for (const key of keys) {
      this.#expressions.assign(kid(part, 0), key, frame)
      const ending = yield* this.run(kid(part, 2), frame)
      if (ending === 'break') return undefined
      if (ending !== undefined && ending !== 'continue') return ending
    }
    return undefined
  }

  *#switch(part: Node, frame: Frame): Steps<Ending | undefined> {
    const subject = constant(yield* this.value(kid(part, 0), frame))
    const cases = part.kids.slice(1)
    let from = cases.findIndex((each) => this.#matches(subject, kid(each, 0), frame))
    if (from < 0) from = cases.findIndex((each) => kid(each, 0).kind === 'empty')
    for (const each of from < 0 ? [] : cases.slice(from)) {
      const ending = yield* this.run(kid(each, 1), frame)
      if (ending === 'break') return undefined
      if (ending !== undefined) return ending
    }
    return undefined
  }

  #matches(subject: Node, label: Node, frame: Frame): boolean {
    if (label.kind === 'empty') return false
    const kids = [subject, label]
    const test = { ...subject, kids, kind: label.kind === 'regex' ? 'match' : 'compare' } as const
    return this.#expressions.truth({ ...test, text: label.kind === 'regex' ? '~' : '==' }, frame)
  }

  *#values(parts: readonly Node[], frame: Frame): Steps<Value[]> {
    const values: Value[] = []
    for (const each of parts) values.push(yield* this.value(each, frame))
    return values
  }

  *#print(part: Node, frame: Frame): Steps<void> {
    const runtime = this.#runtime
    const parts = part.text === '' ? part.kids : part.kids.slice(0, -1)
    const values = yield* this.#values(parts, frame)
    const line =
      parts.length === 0
        ? runtime.record.text
        : values.map((value) => runtime.printed(value)).join(runtime.text(runtime.global('OFS').value))
    yield* this.#write(part, line + runtime.text(runtime.global('ORS').value), frame)
  }

  *#printf(part: Node, frame: Frame): Steps<void> {
    const runtime = this.#runtime
    const values = yield* this.#values(part.text === '' ? part.kids : part.kids.slice(0, -1), frame)
    const [format = '', ...rest] = values
    yield* this.#write(
      part,
      formatValues(runtime.text(format), rest, (value) => runtime.text(value)),
      frame,
    )
  }

  *#write(part: Node, text: string, frame: Frame): Steps<void> {
    const { streams } = this.#runtime
    const place = part.kids.at(-1)
    if (part.text === '' || place === undefined) streams.write(text)
    else streams.writeTo(part.text, this.#runtime.text(yield* this.value(place, frame)), text)
  }

  /** The value of a pattern. */
  *holds(pattern: Node): Steps<boolean> {
    return isTrue(yield* this.value(pattern, []))
  }
}
