import type { Sandbox } from '../../sandbox/sandbox.ts'

/** A call that a fake sandbox answers. */
export interface FakeCall {
  /** The text of the command, or of the code. */
  readonly command: string
  /** Its words, split at blanks and without their quotes. Nothing is expanded. Of code there are none. */
  readonly words: readonly string[]
  /** The interpreter, for code. */
  readonly language?: string | undefined
  /** The directory that the command starts in: absolute. */
  readonly cwd: string
  /** The variables of this call alone. */
  readonly env: Readonly<Record<string, string>>
  /** Empty where the call has none. */
  readonly stdin: Uint8Array
  /** Aborted when the caller no longer waits: its timeout has passed, or its own signal was aborted. */
  readonly signal: AbortSignal
  /** The sandbox, for its files. */
  readonly sandbox: Sandbox
}

/** Parts of a result. */
export interface FakeResult {
  /** @default '' */
  readonly stdout?: string | undefined
  /** @default '' */
  readonly stderr?: string | undefined
  /** @default 0 */
  readonly exitCode?: number | undefined
}

/** What a command comes to: standard output alone, or a result. */
export type FakeOutput = string | FakeResult

/** Answers a call. What it throws rejects the call: throw an error of this package to try how a caller takes it. */
export type FakeCommand = (call: FakeCall) => FakeOutput | Promise<FakeOutput>

/** One step of a script: which call comes next, and what it comes to. */
export interface FakeStep {
  /** The whole command, or what it matches. */
  readonly command: string | RegExp
  /** What it comes to. */
  readonly answer: FakeOutput | FakeCommand
}

/** Commands by their first word; or the calls that come, in their order. */
export type FakeCommands = Readonly<Record<string, FakeOutput | FakeCommand>> | readonly FakeStep[]

/** What a shell of no commands answers. */
export function notFound(name: string): FakeOutput {
  return { exitCode: 127, stderr: `sh: ${name}: not found\n` }
}

/** Gives the answer to the next call. */
export class FakeTable {
  readonly #byName: ReadonlyMap<string, FakeOutput | FakeCommand>
  readonly #steps: FakeStep[] | undefined

  constructor(commands: FakeCommands) {
    this.#steps = isScript(commands) ? [...commands] : undefined
    this.#byName = new Map(isScript(commands) ? [] : Object.entries(commands))
  }

  /** Steps that no call has taken yet. */
  get stepsLeft(): number {
    return this.#steps?.length ?? 0
  }

  /** @throws Error where a script has another step, or none left */
  answerTo({ command, words: [name = ''] }: Pick<FakeCall, 'command' | 'words'>): FakeOutput | FakeCommand {
    if (this.#steps === undefined) return name === '' ? '' : (this.#byName.get(name) ?? notFound(name))
    const [step] = this.#steps
    if (step === undefined) throw new Error(`The script of the fake has no step left for: ${command}`)
    const isMeant = typeof step.command === 'string' ? step.command === command : step.command.test(command)
    if (!isMeant)
      throw new Error(`The script of the fake has the step ${String(step.command)}, but got: ${command}`)
    this.#steps.shift()
    return step.answer
  }
}

function isScript(commands: FakeCommands): commands is readonly FakeStep[] {
  return Array.isArray(commands)
}

/** The words of a command. */
export function wordsOf(command: string): string[] {
  const words = command.match(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gs) ?? []
  return words.map((word) =>
    word.replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
      (_, single?: string, double?: string, one = '') =>
        single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? one,
    ),
  )
}
