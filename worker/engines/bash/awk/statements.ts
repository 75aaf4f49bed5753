import { keysInOrder } from './array-builtins.ts'
import { type Code, type Frame, lift1, lift2, list, type Waiting, waiting } from './code.ts'
import type { Expressions } from './expressions.ts'
import type { Machine } from './machine.ts'
import type { Expression, Statement } from './nodes.ts'
import { sprintf } from './sprintf.ts'
import { numberText, UNSET, type Value } from './values.ts'

/** How a statement ended, where it did not end at its end. */
export type End =
  | { readonly how: 'break' | 'continue' | 'next' | 'nextfile' }
  | { readonly how: 'exit' | 'return'; readonly value: Value | undefined }

type Run = (frame: Frame) => Waiting<End | undefined>

/** Compiles statements of one program. */
export class Statements {
  readonly #of: Expressions

  constructor(expressions: Expressions) {
    this.#of = expressions
  }

  compile(node: Statement): Run {
    switch (node.type) {
      case 'block':
        return block(node.body.map((inner) => this.compile(inner)))
      case 'expression':
        return effect(this.#of.code(node.value))
      case 'print':
      case 'printf':
        return effect(this.#print(node))
      case 'if':
        return this.#if(
          node.test,
          this.compile(node.yes),
          node.no === undefined ? undefined : this.compile(node.no),
        )
      case 'while':
        return loop(this.#of.test(node.test), this.compile(node.body), undefined, false)
      case 'do':
        return loop(this.#of.test(node.test), this.compile(node.body), undefined, true)
      case 'for':
        return this.#for(node)
      case 'each':
        return this.#each(node)
      case 'delete':
        return effect(this.#delete(node.array, node.keys))
      case 'exit':
      case 'return':
        return this.#leave(node.type, node.value)
      default: {
        const end = { how: node.type }
        // biome-ignore lint/correctness/useYield: nothing in it waits
        return function* () {
          return end
        }
      }
    }
  }

  #leave(how: 'exit' | 'return', node: Expression | undefined): Run {
    const value = waiting<Value | undefined>(
      node === undefined ? { run: () => undefined } : this.#of.code(node),
    )
    return function* (frame) {
      return { how, value: yield* value(frame) }
    }
  }

  #if(test: Expression, yes: Run, no: Run | undefined): Run {
    const asked = waiting(this.#of.test(test))
    return function* (frame) {
      if (yield* asked(frame)) return yield* yes(frame)
      return no === undefined ? undefined : yield* no(frame)
    }
  }

  #for({ first, test, step, body }: Extract<Statement, { type: 'for' }>): Run {
    const begin = first === undefined ? undefined : this.compile(first)
    const condition: Code<boolean> = test === undefined ? { run: () => true } : this.#of.test(test)
    const turns = loop(
      condition,
      this.compile(body),
      step === undefined ? undefined : this.compile(step),
      false,
    )
    return function* (frame) {
      if (begin !== undefined) yield* begin(frame)
      return yield* turns(frame)
    }
  }

  #each({ target, array, body }: Extract<Statement, { type: 'each' }>): Run {
    const place = this.#of.scope.place(array)
    let key = ''
    const store = waiting(
      this.#of.store(target, { run: () => key }, (_f, _o, text) => ({ kept: text, given: text })),
    )
    const run = this.compile(body)
    return function* (frame) {
      for (const next of keysInOrder(frame.machine, place.array(frame))) {
        frame.machine.step()
        key = next
        yield* store(frame)
        const end = yield* run(frame)
        if (end?.how === 'break') return undefined
        if (end !== undefined && end.how !== 'continue') return end
      }
      return undefined
    }
  }

  #delete(array: string, keys: readonly Expression[] | undefined): Code<unknown> {
    const place = this.#of.scope.place(array)
    if (keys === undefined) return { run: (frame) => place.array(frame).clear() }
    return lift1(this.#of.key(keys), (frame, key) => place.array(frame).delete(key))
  }

  #print({ type, args, to }: Extract<Statement, { type: 'print' | 'printf' }>): Code<unknown> {
    const values = list(args.map((node) => this.#of.code(node)))
    const shown = lift1(values, ({ machine }, given) =>
      type === 'print' ? printed(machine, given) : formatted(machine, given),
    )
    if (to === undefined) return lift1(shown, ({ machine }, text) => machine.streams.print(text))
    const { sign } = to
    return lift2(shown, this.#of.text(to.name), ({ machine }, text, name) =>
      machine.streams.printTo(sign, name, text),
    )
  }
}

function printed(machine: Machine, values: readonly Value[]): string {
  const end = machine.text(machine.special('ORS'))
  if (values.length === 0) return machine.record + end
  const format = machine.text(machine.special('OFMT'))
  const texts = values.map((value) =>
    typeof value === 'number' ? numberText(value, format) : machine.text(value),
  )
  return texts.join(machine.text(machine.special('OFS'))) + end
}

const formatted = (machine: Machine, [format = '', ...rest]: readonly Value[]): string =>
  sprintf(machine.text(format), rest, machine.text(machine.special('CONVFMT')), machine.bounds.text)

function effect(code: Code<unknown>): Run {
  const run = waiting(code)
  return function* (frame) {
    yield* run(frame)
    return undefined
  }
}

function block(body: readonly Run[]): Run {
  return function* (frame) {
    for (const run of body) {
      const end = yield* run(frame)
      if (end !== undefined) return end
    }
    return undefined
  }
}

function loop(test: Code<boolean>, body: Run, step: Run | undefined, bodyFirst: boolean): Run {
  const asked = waiting(test)
  return function* (frame) {
    for (let first = bodyFirst; first || (yield* asked(frame)); first = false) {
      frame.machine.step()
      const end = yield* body(frame)
      if (end?.how === 'break') return undefined
      if (end !== undefined && end.how !== 'continue') return end
      if (step !== undefined) yield* step(frame)
    }
    return undefined
  }
}

/** The value that a function gives back. */
export const returned = (end: End | undefined): Value =>
  end?.how === 'return' ? (end.value ?? UNSET) : UNSET
