import type { CommandContext } from '../just-bash.ts'
import type { Steps, Wait } from './interpreter.ts'
import { AwkError } from './lexer.ts'
import { assignOperand, MainInput } from './main-input.ts'
import type { AwkProgram, Rule } from './nodes.ts'
import { parseAwk } from './parser.ts'
import { Runtime } from './runtime.ts'
import { type Ending, Leave, Statements } from './statements.ts'
import { Streams } from './streams.ts'
import { fromInput } from './values.ts'

/** A program with what its command line sets. */
export interface AwkRequest {
  readonly source: string
  /** `-v` and `-F`, in order: `name=value`. */
  readonly assignments: readonly string[]
  readonly operands: readonly string[]
}

/** What a program left behind: bytes as latin1. */
export interface AwkOutput {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** Carries out the rules over the input. */
class Run {
  readonly #runtime: Runtime
  readonly #program: AwkProgram
  readonly #input: MainInput
  readonly #statements: Statements
  readonly #inRange = new Set<Rule>()

  constructor(runtime: Runtime, program: AwkProgram) {
    this.#runtime = runtime
    this.#program = program
    this.#input = new MainInput(runtime)
    this.#statements = new Statements(runtime, program, this.#input)
  }

  get exitCode(): number {
    return this.#statements.exitCode
  }

  *all(): Steps<void> {
    const { rules } = this.#program
    const main = rules.filter(({ kind }) => kind !== 'BEGIN' && kind !== 'END')
    const last = rules.filter(({ kind }) => kind === 'END')
    let ending: Ending | undefined
    for (const rule of rules) if (rule.kind === 'BEGIN') ending ??= yield* this.#body(rule)
    if (ending !== 'exit' && main.length + last.length > 0) ending = yield* this.#records(main)
    ending = undefined
    for (const rule of last) ending ??= yield* this.#body(rule)
  }

  *#records(rules: readonly Rule[]): Steps<Ending | undefined> {
    for (;;) {
      const record = yield* this.#input.next()
      if (record === undefined) return undefined
      this.#runtime.step()
      this.#runtime.record.set(record)
      for (const rule of rules) {
        const ending = yield* this.#rule(rule)
        if (ending === 'exit') return ending
        if (ending === 'nextfile') this.#input.skip()
        if (ending !== undefined) break
      }
    }
  }

  *#rule(rule: Rule): Steps<Ending | undefined> {
    const [first, last] = rule.patterns
    if (first !== undefined && last !== undefined) {
      if (!this.#inRange.has(rule) && !(yield* this.#holds(first))) return undefined
      this.#inRange.add(rule)
      if (yield* this.#holds(last)) this.#inRange.delete(rule)
    } else if (first !== undefined && !(yield* this.#holds(first))) return undefined
    return yield* this.#body(rule)
  }

  *#holds(pattern: Rule['patterns'][number]): Steps<boolean> {
    return yield* this.#statements.holds(pattern)
  }

  *#body({ body }: Rule): Steps<Ending | undefined> {
    if (body === undefined) {
      const { streams, record } = this.#runtime
      streams.write(record.text + this.#runtime.text(this.#runtime.global('ORS').value))
      return undefined
    }
    try {
      return yield* this.#statements.run(body, [])
    } catch (error) {
      if (error instanceof Leave) return error.ending
      throw error
    }
  }
}

/** Runs steps, and waits where they say so. */
async function drive(steps: Steps<void>): Promise<void> {
  let result: IteratorResult<Wait, void> = steps.next()
  while (result.done !== true) {
    let answer: unknown
    try {
      answer = await result.value()
    } catch (error) {
      result = steps.throw(error)
      continue
    }
    result = steps.next(answer)
  }
}

/** @param step - called at each statement; throws where the command must end. */
export async function runAwk(
  request: AwkRequest,
  context: CommandContext,
  step: () => void,
): Promise<AwkOutput> {
  const streams = new Streams(context)
  let exitCode = 0
  try {
    const program = parseAwk(request.source)
    const runtime = new Runtime(streams, step, { ...context.exportedEnv }, context.limits)
    const { array } = runtime.global('ARGV')
    for (const [at, word] of ['awk', ...request.operands].entries()) array.set(String(at), fromInput(word))
    runtime.global('ARGC').value = request.operands.length + 1
    for (const assignment of request.assignments)
      if (!assignOperand(runtime, assignment))
        throw new AwkError(`\`${assignment}' argument to \`-v' not in \`var=value' form`)
    const run = new Run(runtime, program)
    await drive(run.all())
    await streams.finish()
    exitCode = run.exitCode
  } catch (error) {
    const message = failure(error)
    if (message === undefined) throw error
    await streams.finish().catch((late) => streams.warn(failure(late)?.message ?? String(late)))
    streams.warn(message.message)
    exitCode = message.exitCode
  }
  return { stdout: streams.stdout, stderr: streams.stderr, exitCode }
}

/** A mistake of the program; undefined for anything else. */
function failure(error: unknown): AwkError | undefined {
  if (error instanceof AwkError) return error
  if (error instanceof RangeError) return new AwkError(error.message)
  return undefined
}
