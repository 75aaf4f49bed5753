import type { Expressions, Frame, Steps } from './interpreter.ts'
import type { MainInput } from './main-input.ts'
import { constant, kid, type Node } from './nodes.ts'
import type { RecordReader } from './reader.ts'
import { fromInput, isTrue, type Value } from './values.ts'

/** Whether a part is a place to assign to, or an array, and has no value to take. */
function isPlace(part: Node, at: number): boolean {
  if (part.kind === 'builtin') return part.kids[at]?.kind === 'variable'
  return at === 0 && ['assign', 'before', 'after', 'element', 'in'].includes(part.kind)
}

/** Values of expressions that wait for a file or a command. */
export class WaitingExpressions {
  readonly #expressions: Expressions
  readonly #input: MainInput

  constructor(expressions: Expressions, input: MainInput) {
    this.#expressions = expressions
    this.#input = input
  }

  *value(part: Node, frame: Frame): Steps<Value> {
    const expressions = this.#expressions
    if (!part.waits) return expressions.value(part, frame)
    switch (part.kind) {
      case 'and':
      case 'or': {
        const left = isTrue(yield* this.value(kid(part, 0), frame))
        if (left === (part.kind === 'or')) return left ? 1 : 0
        return isTrue(yield* this.value(kid(part, 1), frame)) ? 1 : 0
      }
      case 'condition': {
        const chosen = isTrue(yield* this.value(kid(part, 0), frame)) ? 1 : 2
        return yield* this.value(kid(part, chosen), frame)
      }
      case 'getline':
        return yield* this.#getline(part, frame)
      case 'call':
        return yield* expressions.call(part, frame)
      default: {
        const settled = yield* this.#settle(part, frame)
        if (part.kind !== 'builtin' || !['system', 'close', 'fflush'].includes(part.text))
          return expressions.value(settled, frame)
        return yield* this.#stream(settled, frame)
      }
    }
  }

  /** The part with constants where it has to wait, and for what stands before. */
  *#settle(part: Node, frame: Frame): Steps<Node> {
    const last = part.kids.findLastIndex(({ waits }) => waits)
    const kids: Node[] = []
    for (const [at, each] of part.kids.entries()) {
      if (at > last || each.kind === 'regex' || (isPlace(part, at) && !each.waits)) kids.push(each)
      else if (isPlace(part, at)) kids.push(yield* this.#settle(each, frame))
      else kids.push(constant(yield* this.value(each, frame)))
    }
    return { ...part, kids, waits: false }
  }

  *#stream(part: Node, frame: Frame): Steps<Value> {
    const { runtime } = this.#expressions
    const name = part.kids.length === 0 ? '' : runtime.text(this.#expressions.value(kid(part, 0), frame))
    const { streams } = runtime
    const work = {
      system: () => streams.system(name),
      close: () => streams.close(name),
      fflush: () => streams.flush(),
    }
    const answer = yield work[part.text as keyof typeof work]
    return typeof answer === 'number' ? answer : 0
  }

  *#getline(part: Node, frame: Frame): Steps<Value> {
    const { runtime } = this.#expressions
    const hasSource = part.text !== ''
    const target = part.kids[hasSource ? 1 : 0]
    let record: string | undefined
    if (hasSource) {
      const name = runtime.text(yield* this.value(kid(part, 0), frame))
      const reader = (yield part.text === '<'
        ? () => runtime.streams.fileReader(name)
        : () => runtime.streams.commandReader(name)) as RecordReader | undefined
      if (reader === undefined) return -1
      record = reader.next(runtime.recordEnd())
    } else record = yield* this.#input.next()
    if (record === undefined) return 0
    if (target === undefined) runtime.record.set(record)
    else this.#expressions.assign(target, fromInput(record), frame)
    return 1
  }
}
