import type { Cell, Machine } from './machine.ts'

/** What a running function has of its own. */
export interface Frame {
  readonly machine: Machine
  readonly locals: Cell[]
}

/** Waits for promises where it yields them. */
export type Waiting<T> = Generator<Promise<unknown>, T, unknown>

/** Compiled code: run at once where nothing in it can wait, as a generator else. */
export type Code<T> = Quick<T> | Slow<T>

interface Quick<T> {
  readonly run: (frame: Frame) => T
}

interface Slow<T> {
  readonly wait: (frame: Frame) => Waiting<T>
}

const isQuick = <T>(code: Code<T>): code is Quick<T> => 'run' in code

/** The code as a generator. */
export function waiting<T>(code: Code<T>): (frame: Frame) => Waiting<T> {
  if (!isQuick(code)) return code.wait
  const { run } = code
  // biome-ignore lint/correctness/useYield: nothing in it waits
  return function* (frame) {
    return run(frame)
  }
}

export function lift1<A, T>(a: Code<A>, act: (frame: Frame, a: A) => T): Code<T> {
  if (isQuick(a)) return { run: (frame) => act(frame, a.run(frame)) }
  return {
    *wait(frame) {
      return act(frame, yield* a.wait(frame))
    },
  }
}

export function lift2<A, B, T>(a: Code<A>, b: Code<B>, act: (frame: Frame, a: A, b: B) => T): Code<T> {
  if (isQuick(a) && isQuick(b)) return { run: (frame) => act(frame, a.run(frame), b.run(frame)) }
  const [first, second] = [waiting(a), waiting(b)]
  return {
    *wait(frame) {
      const left = yield* first(frame)
      return act(frame, left, yield* second(frame))
    },
  }
}

/** All values, in their order. */
export function list<A>(codes: readonly Code<A>[]): Code<A[]> {
  const quick = codes.filter(isQuick)
  if (quick.length === codes.length) return { run: (frame) => quick.map(({ run }) => run(frame)) }
  const all = codes.map(waiting)
  return {
    *wait(frame) {
      const values: A[] = []
      for (const code of all) values.push(yield* code(frame))
      return values
    },
  }
}

/** One of two, by a test. */
export function choose<T>(test: Code<boolean>, yes: Code<T>, no: Code<T>): Code<T> {
  if (isQuick(test) && isQuick(yes) && isQuick(no))
    return { run: (frame) => (test.run(frame) ? yes.run(frame) : no.run(frame)) }
  const [asked, one, other] = [waiting(test), waiting(yes), waiting(no)]
  return {
    *wait(frame) {
      return yield* (yield* asked(frame)) ? one(frame) : other(frame)
    },
  }
}

/** What waits for a promise. */
export function awaited<A, T>(a: Code<A>, act: (frame: Frame, a: A) => Promise<T>): Code<T> {
  const value = waiting(a)
  return {
    *wait(frame) {
      const promise = act(frame, yield* value(frame))
      let result: { value: T } | undefined
      yield promise.then((settled) => {
        result = { value: settled }
      })
      if (result === undefined) throw new TypeError('A promise was not waited for.')
      return result.value
    },
  }
}

/** Runs a generator to its end. */
export async function drive<T>(generator: Waiting<T>): Promise<T> {
  for (let step = generator.next(); ; ) {
    if (step.done === true) return step.value
    try {
      await step.value
    } catch (error) {
      step = generator.throw(error)
      continue
    }
    step = generator.next()
  }
}
