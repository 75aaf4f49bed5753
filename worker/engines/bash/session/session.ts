import type { SandboxFs } from '../files/memory-fs.ts'
import type {
  Bash,
  ExecResult,
  JustBash,
  PipelineNode,
  ScriptNode,
  ShellFunction,
  StatementNode,
} from '../just-bash.ts'
import type { CommandRules } from '../rules/command-rules.ts'
import type { StreamedOutput } from '../streamed-output.ts'
import type { ArrayNames } from '../transform/arrays.ts'
import { RUN_JOBS } from '../transform/background.ts'
import { innerPath } from '../transform/inner-command.ts'
import { group, pipeline, simple, single, statement } from '../transform/nodes.ts'
import type { Programs } from '../transform/program.ts'
import type { Program } from '../transform/traits.ts'
import { MAX_DEPTH } from './depth.ts'
import { inputCommand } from './input.ts'
import { copyState, type InterpreterState, startOn } from './interpreter-state.ts'
import { type Ended, type Interruption, Interruptions } from './interruptions.ts'
import { Jobs } from './jobs.ts'
import { type Run, statementsOf } from './run.ts'
import { type Saved, type SavedParts, saveCommand, saveWords } from './save.ts'
import type { Stop } from './stop.ts'

/** What sessions of one sandbox share. */
export interface Interpreter {
  readonly bash: Bash
  readonly programs: Programs
  /** The state of a shell that has run nothing. */
  readonly fresh: InterpreterState
  readonly stop: Stop
  /** Writes a tree as source. */
  readonly serialize: JustBash['serialize']
  /** What `umask` sets, whether input without end was cut, and the files themselves. */
  readonly files: SandboxFs
  /** Which commands run; undefined: all. */
  readonly rules: CommandRules | undefined
  /** The session whose script began last, for the commands that ask. */
  current: Session | undefined
  /** What the next `exec` runs. */
  next: ScriptNode | undefined
  /** Called when the first group of a script begins. */
  onGroup: (() => void) | undefined
}

/** How a script is run. */
export interface RunOptions {
  readonly signal: AbortSignal
  /** Bytes as latin1. */
  readonly stdin?: string
  /** Nothing of it stays but files. */
  readonly discard?: boolean
  /** Told as each statement of the script ends. */
  readonly streamed?: StreamedOutput
}

/** A shell whose state lasts from one script to the next. */
export class Session {
  readonly #interpreter: Interpreter
  #state: InterpreterState
  readonly #defined = new Map<string, ShellFunction>()
  #saved: Saved | undefined
  #functionsUsed = false
  readonly #arrayNames = new Set<string>()
  /** Commands by condition, as `trap` set them. */
  readonly traps = new Map<string, string>()
  /** What `export -f` named. */
  readonly exportedFunctions = new Set<string>()
  /** What comes between its statements. */
  readonly interruptions: Interruptions
  /** Its commands with `&`. */
  readonly jobs = new Jobs()
  /** How many shells are around this one. */
  readonly depth: number

  constructor(interpreter: Interpreter, state: InterpreterState = interpreter.fresh, depth = 0) {
    this.#interpreter = interpreter
    this.#state = copyState(state)
    this.depth = depth
    const { programs, serialize } = interpreter
    this.interruptions = new Interruptions({
      traps: this.traps,
      read: (text) => programs.readTrap(text),
      serialize,
    })
    for (const name of this.#state.arrays.keys()) this.#arrayNames.add(name)
    this.#functionsUsed = this.#state.functions.size > 0
  }

  get state(): InterpreterState {
    return this.#state
  }

  /** Names that may be arrays, also those of texts that were only read. */
  noteArrays({ arrays }: ArrayNames): void {
    for (const name of arrays) this.#arrayNames.add(name)
  }

  /** A function definition was carried out, or may be by a file that is sourced. */
  define(definition: ShellFunction): void {
    this.#functionsUsed = true
    this.#defined.set(definition.name, definition)
  }

  /** The functions by name, also of the script that runs. */
  get functions(): Map<string, ShellFunction> {
    return new Map([...this.#state.functions, ...this.#defined])
  }

  /** Takes what the script's last command says. */
  save(saved: Saved): void {
    this.#saved = saved
  }

  /** Whether a pid is that of `$$` or `$BASHPID`. */
  isNamed(pid: string): boolean {
    const { virtualPid, bashPid } = this.#state
    return pid === String(virtualPid) || pid === String(bashPid)
  }

  /** What runs after a statement of a script. */
  interruption(state: InterpreterState, ended: Ended): Interruption | undefined {
    return this.#takesStatements ? this.interruptions.after(state, this.#state.bashPid, ended) : undefined
  }

  update(change: Partial<InterpreterState>): void {
    this.#state = { ...this.#state, ...change }
  }

  /** Runs a script, then its exit trap. */
  async run(text: string, options: RunOptions): Promise<ExecResult> {
    const { programs } = this.#interpreter
    return this.runProgram(programs.read(text), options)
  }

  /** Runs what was read, then its exit trap and what it has left running. */
  async runProgram(program: Program, options: RunOptions): Promise<ExecResult> {
    const result = await this.#runTrapped(program, options)
    // One that only sleeps does nothing that anybody sees.
    if (this.jobs.pending.every(({ slow }) => slow === 'sleep') || this.#interpreter.stop.ending)
      return result
    const { lastExitCode } = this.#state
    const rest = await this.#exec(this.#interpreter.programs.read(innerPath(RUN_JOBS)), options)
    this.update({ lastExitCode })
    return joined(result, rest, result.exitCode)
  }

  async #runTrapped(program: Program, options: RunOptions): Promise<ExecResult> {
    const { programs } = this.#interpreter
    const result = await this.#exec(program, options)
    const trap = this.traps.get('EXIT')
    if (trap === undefined || this.#interpreter.stop.ending) return result
    this.traps.delete('EXIT')
    const { stdin: _, ...trapOptions } = options
    this.update({ statusBeforeTrap: result.exitCode })
    const last = await this.#exec(programs.read(trap), trapOptions)
    this.update({ statusBeforeTrap: undefined })
    const exited = this.#exited ? last.exitCode : result.exitCode
    return joined(result, last, exited)
  }

  /** A shell with the state that a command took, for a part of the script. Undefined where too many are inside each other. */
  fork(saved: Saved, pid: number): Session | undefined {
    if (this.depth + 1 > MAX_DEPTH) return undefined
    const child = new Session(this.#interpreter, { ...this.#taken(saved), bashPid: pid }, this.depth + 1)
    for (const name of this.#arrayNames) child.#arrayNames.add(name)
    for (const name of this.exportedFunctions) child.exportedFunctions.add(name)
    return child
  }

  #parts({ redirects }: Program): SavedParts {
    return { arrays: this.#arrayNames, functions: this.#functionsUsed, redirects }
  }

  #exited = false
  /** Whether a statement that ends is of the script, and not of what keeps its state. */
  #takesStatements = false
  /** What the next part of the script reads: bytes as latin1. */
  #input = ''
  #onDiscard: () => void = () => undefined

  /** What the script that begins reads: bytes as latin1. */
  get input(): string {
    return this.#input
  }

  async #exec(program: Program, options: RunOptions): Promise<ExecResult> {
    const interpreter = this.#interpreter
    this.noteArrays(program)
    this.#saved = undefined
    this.#defined.clear()
    this.#exited = false
    this.#input = options.stdin ?? ''
    const state = options.discard === true ? copyState(this.#state) : this.#state
    const lastpipe = state.shoptOptions['lastpipe'] === true
    const plain = this.#isPlain(program)
    const { forking, readonlyNames } = interpreter.programs
    const before = [
      interpreter.current,
      interpreter.programs.onDefinition,
      forking.words,
      readonlyNames.current,
    ] as const
    const begin = (): Promise<ExecResult> => {
      interpreter.current = this
      interpreter.programs.onDefinition = (definition) => this.define(definition)
      forking.words = () => saveWords(this.#parts(program))
      readonlyNames.current = state.readonlyVars
      options.streamed?.begin()
      interpreter.next = plain
        ? plainScript(program, options.streamed)
        : this.#script(program, options.streamed)
      return interpreter.bash.exec(':', {
        rawScript: true,
        signal: options.signal,
        ...(plain && options.stdin !== undefined
          ? { stdin: options.stdin, stdinKind: 'bytes' as const }
          : {}),
      })
    }
    try {
      const result = await startOn(interpreter.bash, state, begin)
      if (plain && !interpreter.stop.ending) this.#saved = plainSaved(result)
      if (options.discard !== true) this.#keep(result)
      options.streamed?.ended(result)
      return result
    } finally {
      interpreter.stop.paused = false
      state.shoptOptions['lastpipe'] = lastpipe
      interpreter.current = before[0]
      interpreter.programs.onDefinition = before[1]
      forking.words = before[2]
      readonlyNames.current = before[3]
    }
  }

  /**
   * `: | { program; }; __save ...`, or `__input | ...` where it has standard input, with `lastpipe`: a pipeline is the one place where just-bash catches
   * `exit` and `set -e` and keeps the shell's state.
   */
  #script(program: Program, streamed: StreamedOutput | undefined): ScriptNode {
    const run: Run = { at: 0, whole: false, discardedAt: undefined }
    this.#takesStatements = true
    const save = pipeline(simple('__placeholder'))
    Object.defineProperty(save, 'commands', {
      enumerable: true,
      get: () => {
        this.#exited = !run.whole
        this.#takesStatements = false
        this.#interpreter.stop.paused = true
        return [saveCommand(this.#parts(program))]
      },
    })
    const pipelines = [this.#part(program, run, 0, streamed), save]
    const operators: StatementNode['operators'] = [';']
    this.#onDiscard = () => {
      run.discardedAt = run.at
      const next = program.lineEnds[run.at] ?? program.statements.length
      if (next >= program.statements.length) return
      pipelines.splice(-1, 0, this.#part(program, run, next, streamed))
      operators.push(';')
    }
    return { type: 'Script', statements: [statement(pipelines, operators)] }
  }

  /** `: | { ... }` or `__input | { ... }` with the program's statements from one on. `lastpipe` is set for this pipeline alone. */
  #part(program: Program, run: Run, from: number, streamed: StreamedOutput | undefined): PipelineNode {
    const interpreter = this.#interpreter
    const { shoptOptions } = this.#state
    const body = group([])
    const watch = { isEnding: () => interpreter.stop.ending, onEnd: () => streamed?.statementEnded() }
    Object.defineProperty(body, 'body', {
      enumerable: true,
      value: { [Symbol.iterator]: () => statementsOf(program.statements, run, from, watch) },
    })
    const commands = [inputCommand(this.#input), body]
    const part = pipeline()
    let armed = false
    Object.defineProperty(part, 'commands', {
      enumerable: true,
      get: () => {
        if (armed) return commands
        armed = true
        const lastpipe = shoptOptions['lastpipe'] === true
        shoptOptions['lastpipe'] = true
        interpreter.onGroup = () => {
          shoptOptions['lastpipe'] = lastpipe
        }
        return commands
      },
    })
    return part
  }

  /** An expression has failed in the shell of that pid: the rest of its line is left out. The next lines read `input`. */
  discard(pid: number, input: string): void {
    if (pid !== this.#state.bashPid) return
    this.#input = input
    this.#onDiscard()
  }

  /** Such a script is run as it is: what it changes is in the result. */
  #isPlain(program: Program): boolean {
    if (program.stateful || this.traps.size > 0) return false
    const { functions, readonlyVars, shoptOptions } = this.#state
    // An assignment to one of them leaves its line, and not the script.
    if (readonlyVars.size > this.#interpreter.fresh.readonlyVars.size) return false
    if (['expand_aliases', 'lastpipe', 'failglob'].some((name) => shoptOptions[name] === true)) return false
    for (const name of program.commands) if (functions.has(name)) return false
    return true
  }

  #named(names: Iterable<string>): Map<string, ShellFunction> {
    const functions = new Map<string, ShellFunction>()
    for (const name of names) {
      const known = this.#defined.get(name) ?? this.#state.functions.get(name)
      if (known !== undefined) functions.set(name, known)
    }
    return functions
  }

  #keep(result: ExecResult): void {
    const saved = this.#saved
    if (saved === undefined) return
    this.#state = { ...this.#taken(saved), lastExitCode: result.exitCode }
  }

  /** The state with what was taken of it. */
  #taken(saved: Saved): InterpreterState {
    const functions = saved.functions === undefined ? this.functions : this.#named(saved.functions)
    const set = new Set((saved.env.get('SHELLOPTS') ?? '').split(':'))
    const options: Record<string, boolean> = {}
    for (const name of Object.keys(this.#state.options)) options[name] = set.has(name)
    return {
      ...this.#state,
      env: saved.env,
      arrays: saved.arrays ?? this.#state.arrays,
      functions,
      options,
      cwd: saved.cwd,
      previousDir: saved.env.get('OLDPWD') ?? this.#state.previousDir,
      lastExitCode: saved.exitCode,
    }
  }
}

const joined = (first: ExecResult, last: ExecResult, exitCode: number): ExecResult => ({
  ...last,
  stdout: first.stdout + last.stdout,
  stderr: first.stderr + last.stderr,
  exitCode,
})

/** An iterable over the statements, each of which streams its output as it ends. */
function watched(statements: readonly StatementNode[], streamed: StreamedOutput): Iterable<StatementNode> {
  return {
    *[Symbol.iterator]() {
      for (const node of statements) {
        yield node
        streamed.statementEnded()
      }
    },
  }
}

/** Statements in a group: a script that is stopped loses the output of those before, a group does not. */
function plainScript({ statements }: Program, streamed: StreamedOutput | undefined): ScriptNode {
  if (statements.length <= 1 && streamed === undefined) return { type: 'Script', statements: [...statements] }
  const body = group([...statements])
  if (streamed !== undefined)
    Object.defineProperty(body, 'body', { enumerable: true, value: watched(statements, streamed) })
  return { type: 'Script', statements: [single(body)] }
}

function plainSaved({ env = {}, exitCode }: ExecResult): Saved | undefined {
  const cwd = env['PWD']
  return cwd === undefined
    ? undefined
    : { exitCode, cwd, env: new Map(Object.entries(env)), arrays: undefined, functions: undefined }
}
