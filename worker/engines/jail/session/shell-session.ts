import type { CommandScope } from '../../../../src/contract/shell-api.ts'
import type { Channel, Sink } from '../channel/channel.ts'
import { type Kept, Records, type StatusRecord } from '../channel/records.ts'
import type { Interpreter } from '../interpreters/interpreter.ts'
import type { Inputs } from '../open/private-directory.ts'

type Done = Extract<StatusRecord, { kind: 'done' }>
type Ended = Extract<StatusRecord, { kind: 'ended' }>

/** How a command ended. */
export interface CommandResult {
  readonly status: number
  /** What the session has of what it had before. */
  readonly kept: Kept
}

/** What a command has besides its text. */
export interface CommandOptions {
  readonly input: Uint8Array | undefined
  readonly scope: CommandScope | undefined
}

/** What a session is made of. */
interface SessionParts {
  readonly inputs: Inputs
  /** Where it begins. */
  readonly directory: string
  readonly interpreter: Interpreter
}

/** The shell of a jail as it answers: one line at a time. */
export class ShellSession {
  readonly #interpreter: Interpreter
  readonly #channel: Channel
  readonly #inputs: Inputs
  readonly #records = new Records((record) => this.#take(record))
  readonly #ready: Promise<void>
  #onReady: (() => void) | undefined
  #begunIn: string | undefined
  #waiting:
    | { readonly answered: (record: Done | Ended) => void; readonly failed: (error: Error) => void }
    | undefined
  readonly #start: string
  #sequence = 0
  #begun = 0
  #status = 0
  #directory: string
  #job = ''
  #pid = 0
  /** What was kept of a shell that ended between commands. */
  #kept: Kept = 'all'
  #failure: Error | undefined

  constructor(
    open: (onStatus: (bytes: Buffer) => void) => Channel,
    { inputs, directory, interpreter }: SessionParts,
  ) {
    this.#interpreter = interpreter
    this.#start = directory
    this.#directory = directory
    this.#inputs = inputs
    this.#ready = new Promise((resolve) => {
      this.#onReady = resolve
    })
    this.#channel = open((bytes) => this.#records.take(bytes))
    if (interpreter.begin !== '') this.#channel.write(interpreter.begin)
  }

  /** The session begins now: its first shell may be older. */
  async startClock(): Promise<void> {
    const { clockLine } = this.#interpreter
    if (clockLine !== undefined) await this.#answer(clockLine)
  }

  /** Resolves when the first shell has begun. */
  get ready(): Promise<void> {
    return this.#ready
  }

  /** The directory that it is in. */
  get directory(): string {
    return this.#directory
  }

  /** The number of the shell, in the jail. */
  get pid(): number {
    return this.#pid
  }

  /** Whether the shell has read the lines of the command that was written last. */
  get hasBegun(): boolean {
    return this.#begun === this.#sequence
  }

  /** Whether it has started jobs in the background. */
  get hasJobs(): boolean {
    return this.#job !== ''
  }

  /** Runs a command in the session. What it gives goes to `sink`. */
  async run(text: string, { input, scope }: CommandOptions, sink: Sink): Promise<CommandResult> {
    this.#channel.begin(sink, this.hasJobs)
    try {
      if (input !== undefined) this.#inputs.input.write(input)
      const result = await this.#runText(text, { hasInput: input !== undefined, scope, status: this.#status })
      // What is scoped leaves nothing in the session.
      if (scope === undefined) this.#status = result.status
      const kept = result.kept === 'all' ? this.#kept : result.kept
      this.#kept = 'all'
      return { ...result, kept }
    } finally {
      this.#channel.end()
      if (input !== undefined) this.#inputs.input.write('')
    }
  }

  /** Whether the first shell has begun where the session begins. Else that directory was not there. */
  get isAtStart(): boolean {
    return this.#begunIn === this.#start
  }

  /** Goes to a directory that was not there when the shell began. @returns false where it cannot */
  async enter(path: string): Promise<boolean> {
    const record = await this.#answer((sequence) => this.#interpreter.enterLine(path, sequence))
    return record.status === 0
  }

  /** The value of a variable; undefined where it has none. */
  async variable(name: string): Promise<string | undefined> {
    const parts: Buffer[] = []
    this.#channel.begin({ out: (bytes) => parts.push(Buffer.from(bytes)), err: () => undefined })
    await this.#answer((sequence) => this.#interpreter.variableLine(name, sequence))
    this.#channel.end()
    const text = Buffer.concat(parts).toString()
    return text.startsWith('=') ? text.slice(1) : undefined
  }

  /** Sets and exports a variable. @returns false where it cannot be set */
  async export(name: string, value: string): Promise<boolean> {
    const record = await this.#answer((sequence) => this.#interpreter.exportLine(name, value, sequence))
    return record.status === 0
  }

  /** The jail has ended. */
  fail(error: Error): void {
    this.#failure = error
    this.#waiting?.failed(error)
  }

  async #runText(
    text: string,
    given: { readonly hasInput: boolean; readonly scope: CommandScope | undefined; readonly status: number },
  ): Promise<CommandResult> {
    if (this.#interpreter.reads === 'pipe') this.#inputs.command.write(text)
    const setsTraps = /\btrap\b/.test(text)
    const record = await this.#answer((sequence) =>
      this.#interpreter.commandLine({ ...given, text, sequence, setsTraps }),
    )
    if (record.kind === 'ended') return { status: record.status, kept: record.kept }
    const trap = this.#interpreter.trapOf(record.trap)
    if (trap === undefined) return { status: record.status, kept: 'all' }
    // It belongs to the end of its command, and sees how that ended.
    const last = await this.#runText(trap, { hasInput: false, scope: undefined, status: record.status })
    return this.#endedLast ? last : { status: record.status, kept: 'all' }
  }

  #endedLast = false

  #answer(lineOf: (sequence: number) => string): Promise<Done | Ended> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    this.#sequence += 1
    const line = lineOf(this.#sequence)
    return new Promise((resolve, reject) => {
      this.#waiting = { answered: resolve, failed: reject }
      this.#channel.write(line)
    })
  }

  #take(record: StatusRecord): void {
    if (record.kind === 'ready') {
      this.#pid = record.pid
      this.#begunIn ??= record.directory
      this.#onReady?.()
      return
    }
    if (record.kind === 'begun') {
      if (record.sequence === this.#sequence) this.#begun = record.sequence
      return
    }
    if (record.kind === 'done') {
      if (record.sequence !== this.#sequence) return
      this.#directory = record.directory.startsWith('/') ? record.directory : '/'
      this.#job = record.job
    } else {
      if (this.#interpreter.begin !== '') this.#channel.write(this.#interpreter.begin)
      this.#job = ''
      if (this.#waiting === undefined && record.kept !== 'all') this.#kept = record.kept
    }
    this.#endedLast = record.kind === 'ended'
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.answered(record)
  }
}
