import { extended, type Form, type Output, type Outputs, recurse } from './interpreter.ts'
import { CompileError } from './lexer.ts'
import { getPath } from './paths.ts'
import { isArray, isTrue, JqError, type Json, typeOf, writeJson } from './values.ts'

/** What a program reads and tells beside its outputs. */
interface Surroundings {
  /** The next input, or undefined at the end. */
  input(): Json | undefined
  readonly environment: ReadonlyMap<string, string>
  /** Writes to standard error. */
  tell(text: string): void
}

/** Ends the program with a status. */
export class Halt extends Error {
  override readonly name = 'Halt'
  readonly status: number
  readonly told: Json | undefined

  constructor(status: number, told?: Json) {
    super('halt')
    this.status = status
    this.told = told
  }
}

/** Stands for the path of what is computed: like that of a literal. */
function* only(value: Json, input: Output, run: Parameters<Form>[0]): Outputs {
  yield* run.run({ type: 'literal', value }, undefined, input)
}

const error = (value: (args: Parameters<Form>) => Json): Form =>
  // biome-ignore lint/correctness/useYield: it gives nothing
  function* (...args) {
    throw new JqError(value(args))
  }

/** The forms that every program knows, by name and number of arguments. */
export function formsOf({ input: next, environment, tell }: Surroundings): ReadonlyMap<string, Form> {
  const nextInput = (): Json => {
    const value = next()
    if (value === undefined) throw new JqError('No more inputs')
    return value
  }
  const debug = (label: Json, value: Json) => tell(`${writeJson([label, value])}\n`)
  const forms: Record<string, Form> = {
    // biome-ignore lint/correctness/useYield: it gives nothing
    *'empty/0'() {
      return
    },
    'error/0': error(([, , , { value }]) => value),
    'error/1': error(([run, [message], scope, { value }]) => {
      for (const told of message === undefined ? [] : run.values(message, scope, value)) return told
      return null
    }),
    *'path/1'(run, [body], scope, input) {
      if (body === undefined) return
      for (const path of run.paths(body, scope, input.value)) yield* only([...path], input, run)
    },
    *'getpath/1'(run, [body], scope, input) {
      if (body === undefined) return
      for (const path of run.values(body, scope, input.value)) {
        if (!isArray(path)) throw new JqError('Path must be specified as an array')
        let value: Json = null
        try {
          value = getPath(input.value, path)
        } catch (cause) {
          if (input.path === undefined) throw cause
        }
        yield path.reduce<Output>((at, key) => ({ value, path: extended(at, key) }), {
          value,
          path: input.path,
        })
      }
    },
    *'recurse/0'(_run, _args, _scope, input) {
      yield* recurse(input)
    },
    *'recurse/1'(run, [next], scope, input) {
      if (next !== undefined)
        yield* chased(
          input,
          () => 'both',
          (output) => run.run(next, scope, output),
        )
    },
    *'repeat/1'(run, [next], scope, input) {
      if (next !== undefined)
        yield* chased(
          input,
          () => 'both',
          (output) => run.run(next, scope, output),
        )
    },
    *'while/2'(run, [condition, next], scope, input) {
      if (condition === undefined || next === undefined) return
      const holds = (output: Output) => first(run.values(condition, scope, output.value))
      yield* chased(
        input,
        (output) => (holds(output) ? 'both' : 'neither'),
        (output) => run.run(next, scope, output),
      )
    },
    *'until/2'(run, [condition, next], scope, input) {
      if (condition === undefined || next === undefined) return
      const holds = (output: Output) => first(run.values(condition, scope, output.value))
      yield* chased(
        input,
        (output) => (holds(output) ? 'give' : 'go on'),
        (output) => run.run(next, scope, output),
      )
    },
    *'first/1'(run, [body], scope, input) {
      if (body === undefined) return
      for (const output of run.run(body, scope, input)) {
        yield output
        return
      }
    },
    *'limit/2'(run, [count, body], scope, input) {
      if (count === undefined || body === undefined) return
      for (const most of run.values(count, scope, input.value)) {
        if (typeof most !== 'number') throw new JqError('Invalid arguments')
        let left = most
        if (left <= 0) continue
        for (const output of run.run(body, scope, input)) {
          yield output
          left -= 1
          if (left <= 0) break
        }
      }
    },
    *'last/1'(run, [body], scope, input) {
      let last: Output | undefined
      if (body !== undefined) for (const output of run.run(body, scope, input)) last = output
      if (last !== undefined) yield last
    },
    *'isempty/1'(run, [body], scope, input) {
      let empty = true
      if (body !== undefined)
        for (const _ of run.values(body, scope, input.value)) {
          empty = false
          break
        }
      yield* only(empty, input, run)
    },
    *'range/1'(run, [to], scope, input) {
      if (to === undefined) return
      for (const end of run.values(to, scope, input.value)) yield* range(0, end, 1, input, run)
    },
    *'range/2'(run, [from, to], scope, input) {
      if (from === undefined || to === undefined) return
      for (const start of run.values(from, scope, input.value))
        for (const end of run.values(to, scope, input.value)) yield* range(start, end, 1, input, run)
    },
    *'range/3'(run, [from, to, by], scope, input) {
      if (from === undefined || to === undefined || by === undefined) return
      for (const start of run.values(from, scope, input.value))
        for (const end of run.values(to, scope, input.value))
          for (const step of run.values(by, scope, input.value)) yield* range(start, end, step, input, run)
    },
    *'any/2'(run, [source, condition], scope, input) {
      yield* only(some(run, source, condition, scope, input, true), input, run)
    },
    *'all/2'(run, [source, condition], scope, input) {
      yield* only(!some(run, source, condition, scope, input, false), input, run)
    },
    *'input/0'(run, _args, _scope, input) {
      yield* only(nextInput(), input, run)
    },
    *'inputs/0'(run, _args, _scope, input) {
      for (let value = next(); value !== undefined; value = next()) yield* only(value, input, run)
    },
    *'debug/0'(_run, _args, _scope, input) {
      debug('DEBUG:', input.value)
      yield input
    },
    *'debug/1'(run, [message], scope, input) {
      if (message !== undefined)
        for (const told of run.values(message, scope, input.value)) debug('DEBUG:', told)
      yield input
    },
    *'stderr/0'(_run, _args, _scope, input) {
      tell(writeJson(input.value))
      yield input
    },
    *'env/0'(run, _args, _scope, input) {
      yield* only(new Map(environment), input, run)
    },
    // biome-ignore lint/correctness/useYield: it gives nothing
    *'halt/0'() {
      throw new Halt(0)
    },
    // biome-ignore lint/correctness/useYield: it gives nothing
    *'halt_error/0'(_run, _args, _scope, input) {
      throw new Halt(5, input.value)
    },
    // biome-ignore lint/correctness/useYield: it gives nothing
    *'halt_error/1'(run, [status], scope, input) {
      for (const value of status === undefined ? [] : run.values(status, scope, input.value)) {
        if (typeof value !== 'number') throw new JqError('halt_error/1: number required')
        throw new Halt(value, input.value)
      }
    },
    *'input_filename/0'(run, _args, _scope, input) {
      yield* only(null, input, run)
    },
    // biome-ignore lint/correctness/useYield: it gives nothing
    *'input_line_number/0'() {
      throw new CompileError('input_line_number/0 is not known here')
    },
  }
  return new Map(Object.entries(forms))
}

const first = (values: Generator<Json, void, undefined>): boolean => {
  for (const value of values) return isTrue(value)
  return false
}

/** Follows what each output leads to, depth first. A stack of its own lets it go on for long. */
function* chased(
  input: Output,
  decide: (output: Output) => 'both' | 'give' | 'go on' | 'neither',
  follow: (output: Output) => Outputs,
): Outputs {
  const stack: Iterator<Output, void>[] = [once(input)]
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.next()
    if (next.done === true) {
      stack.pop()
      continue
    }
    const what = decide(next.value)
    if (what === 'both' || what === 'give') yield next.value
    if (what === 'both' || what === 'go on') stack.push(follow(next.value))
  }
}

function* range(from: Json, to: Json, by: Json, input: Output, run: Parameters<Form>[0]): Outputs {
  if (typeof from !== 'number' || typeof to !== 'number' || typeof by !== 'number')
    throw new JqError('Range bounds must be numeric')
  if (by > 0) for (let at = from; at < to; at += by) yield* only(at, input, run)
  else if (by < 0) for (let at = from; at > to; at += by) yield* only(at, input, run)
  else if (from < to) throw new JqError(`Range by ${typeOf(by)} 0 has no end here`)
}

/** Whether a condition is so for some output. */
function some(
  run: Parameters<Form>[0],
  source: Parameters<Form>[1][number] | undefined,
  condition: Parameters<Form>[1][number] | undefined,
  scope: Parameters<Form>[2],
  input: Output,
  wanted: boolean,
): boolean {
  if (source === undefined || condition === undefined) return false
  for (const item of run.values(source, scope, input.value))
    for (const value of run.values(condition, scope, item)) if (isTrue(value) === wanted) return true
  return false
}

function* once(output: Output): Outputs {
  yield output
}
