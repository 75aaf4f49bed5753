import { Scope } from './cells.ts'
import { type Code, drive, type Frame, type Waiting, waiting } from './code.ts'
import { AwkError } from './error.ts'
import { type Callable, Expressions } from './expressions.ts'
import { MainInput } from './input.ts'
import { type Bounds, type Cell, Machine } from './machine.ts'
import type { AwkFunction, AwkProgram, Rule, Statement } from './nodes.ts'
import { type End, returned, Statements } from './statements.ts'
import { Streams, type World } from './streams.ts'
import { withoutEscapes } from './tokens.ts'
import { input, toNumber } from './values.ts'

/** What a program is run on. */
export interface AwkOptions {
  readonly world: World
  /** Reads a file of the command line. @throws where it cannot be read. */
  readonly read: (path: string) => Promise<string>
  readonly stdin: string
  /** `-v name=text`, in their order. */
  readonly assigned: readonly (readonly [name: string, text: string])[]
  readonly operands: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly bounds: Bounds
  readonly step: () => void
}

export interface AwkResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** How deep functions may call each other. */
const MAX_DEPTH = 1000

/** A program on its way. */
class Process {
  readonly machine: Machine
  readonly #scope = new Scope()
  readonly #functions = new Map<string, Callable>()
  readonly #statements: Statements
  readonly #expressions: Expressions
  #exitCode = 0
  #depth = 0

  constructor(program: AwkProgram, options: AwkOptions, streams: Streams) {
    this.machine = new Machine(streams, options.bounds, options.step)
    this.#expressions = new Expressions(this.#scope, this.#functions)
    this.#statements = new Statements(this.#expressions)
    for (const [name, definition] of program.functions) this.#functions.set(name, this.#callable(definition))
    const assign = (name: string, text: string) => this.#assign(name, text)
    this.machine.main = new MainInput(options.stdin, options.read, assign)
    for (const [name, text] of options.assigned) assign(name, text)
    const names = this.machine.specialArray('ARGV')
    for (const [at, name] of ['awk', ...options.operands].entries()) names.set(String(at), input(name))
    this.machine.setSpecial('ARGC', options.operands.length + 1)
    const environment = this.machine.specialArray('ENVIRON')
    for (const [name, text] of Object.entries(options.environment)) environment.set(name, input(text))
  }

  #assign(name: string, text: string): void {
    const frame = { machine: this.machine, locals: [] }
    this.#scope.locals = []
    this.#scope.place(name).set(frame, input(withoutEscapes(text)))
  }

  #callable(definition: AwkFunction): Callable {
    let body: ((frame: Frame) => Waiting<End | undefined>) | undefined
    const compile = () => this.#within(definition.parameters, definition.body)
    const begin = () => {
      this.#depth += 1
      if (this.#depth > MAX_DEPTH)
        throw new AwkError(`functions call each other more than ${MAX_DEPTH} times deep`)
    }
    const leave = () => {
      this.#depth -= 1
    }
    return {
      definition,
      *call({ machine }, args) {
        begin()
        machine.step()
        body ??= compile()
        const locals: Cell[] = [...args]
        const end = yield* body({ machine, locals })
        leave()
        if (end?.how === 'return' || end === undefined) return returned(end)
        throw new Left(end)
      },
    }
  }

  #within(locals: readonly string[], statement: Statement): (frame: Frame) => Waiting<End | undefined> {
    const outer = this.#scope.locals
    this.#scope.locals = locals
    try {
      return this.#statements.compile(statement)
    } finally {
      this.#scope.locals = outer
    }
  }

  /** Runs all of it. @returns the status. */
  async run({ rules }: AwkProgram): Promise<number> {
    const frame: Frame = { machine: this.machine, locals: [] }
    const compiled = rules.map((rule) => this.#rule(rule))
    const of = (kind: 'BEGIN' | 'END' | 'main') => compiled.filter((rule) => rule.kind === kind)
    const run = async (list: typeof compiled): Promise<End | undefined> => {
      for (const rule of list) {
        const end = await this.#catching(rule.run(frame))
        if (end !== undefined) return end
      }
      return undefined
    }
    let end = await run(of('BEGIN'))
    const [main, last] = [of('main'), of('END')]
    if (end?.how !== 'exit' && main.length + last.length > 0) end = await this.#records(() => run(main))
    if (end?.how !== 'exit') end = await run(last)
    else if (main.length + last.length >= 0) {
      this.#leave(end)
      // `exit` runs the END rules, unless it is called by one of them.
      end = await run(last)
    }
    if (end?.how === 'exit') this.#leave(end)
    return this.#exitCode
  }

  async #records(run: () => Promise<End | undefined>): Promise<End | undefined> {
    const { machine } = this
    for (;;) {
      machine.step()
      const record = await machine.main?.next(machine)
      if (record === undefined) return undefined
      machine.record = record
      const end = await run()
      if (end?.how === 'exit') return end
      if (end?.how === 'nextfile') machine.main?.skipFile()
    }
  }

  async #catching(generator: Waiting<End | undefined>): Promise<End | undefined> {
    try {
      return await drive(generator)
    } catch (error) {
      if (error instanceof Left) return error.end
      throw error
    }
  }

  #leave(end: End): void {
    if ('value' in end && end.value !== undefined) this.#exitCode = toNumber(end.value) & 255
  }

  #rule({ pattern, body }: Rule): {
    kind: 'BEGIN' | 'END' | 'main'
    run: (frame: Frame) => Waiting<End | undefined>
  } {
    const act = this.#within([], body ?? { type: 'print', args: [] })
    if (pattern === 'BEGIN' || pattern === 'END') return { kind: pattern, run: act }
    if (pattern === 'always') return { kind: 'main', run: act }
    if (!('type' in pattern))
      return { kind: 'main', run: range(this.#test(pattern[0]), this.#test(pattern[1]), act) }
    const test = this.#test(pattern)
    return {
      kind: 'main',
      run: function* (frame) {
        return (yield* test(frame)) ? yield* act(frame) : undefined
      },
    }
  }

  #test(node: Parameters<Expressions['test']>[0]): (frame: Frame) => Waiting<boolean> {
    const test: Code<boolean> = this.#expressions.test(node)
    return waiting(test)
  }
}

/** `exit` and `next` within a function. */
class Left extends Error {
  readonly end: End

  constructor(end: End) {
    super(end.how)
    this.end = end
  }
}

type Test = (frame: Frame) => Waiting<boolean>

function range(from: Test, to: Test, act: (frame: Frame) => Waiting<End | undefined>) {
  let inside = false
  return function* (frame: Frame): Waiting<End | undefined> {
    if (!inside && !(yield* from(frame))) return undefined
    inside = !(yield* to(frame))
    return yield* act(frame)
  }
}

/** Runs an awk program. What it printed stands also where it fails. */
export async function runAwk(program: AwkProgram, options: AwkOptions): Promise<AwkResult> {
  const streams = new Streams(options.world, options.bounds.text * 4)
  let exitCode: number
  let failure = ''
  try {
    exitCode = await new Process(program, options, streams).run(program)
    await streams.closeAll()
  } catch (error) {
    if (!(error instanceof AwkError)) throw error
    exitCode = 2
    failure = `awk: ${error.message}\n`
    await streams.closeAll()
  }
  return { stdout: streams.stdout.join(''), stderr: streams.stderr + failure, exitCode }
}
