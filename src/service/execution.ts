import { performance } from '../async/clock.ts'
import { giveBackController, takeController } from '../async/spare-controllers.ts'
import type { ExecutionData } from '../protocol/execution-schemas.ts'
import type { ProblemData } from '../protocol/problem.ts'
import { problemOfError } from '../protocol/problem-of-error.ts'
import { resultJson } from '../protocol/result-json.ts'
import { isSandboxError } from '../sandbox/known-error.ts'
import type { ExecutionEvent, ExecutionResult } from '../sandbox/results.ts'
import { internalProblem } from './service-problem.ts'
import { Tail } from './tail.ts'

/** What an execution is made of. */
export interface ExecutionOptions {
  readonly id: string
  readonly sandbox: string
  readonly by: string
  /** As the timeline shows it, without secrets. */
  readonly command: string
  readonly language: string | undefined
  /** Values that are shown to nobody. */
  readonly secrets: readonly string[]
  /** Told when its state has changed. */
  readonly onChange: (execution: Execution) => void
}

/** One event of its stream, as it is sent: its number is its place, from 1. */
export interface StreamEvent {
  readonly event: 'output' | 'result' | 'problem'
  /** JSON. */
  readonly data: string
}

/** How an execution has ended: with a result, or with a problem. */
export type Outcome =
  | { readonly result: Pick<ExecutionResult, 'exitCode' | 'timedOut'>; readonly problem?: undefined }
  | { readonly problem: ProblemData; readonly result?: undefined }

/** One command or code that was asked for: it runs once, whoever reads what it gives, and how often. */
export class Execution {
  readonly id: string
  readonly sandbox: string
  readonly #options: ExecutionOptions
  /** Undefined once it has ended: ended ones are remembered for minutes. */
  #stop: AbortController | undefined = takeController()
  readonly #startedAt = Date.now()
  readonly #start = performance.now()
  readonly #events: StreamEvent[] = []
  readonly #readers = new Set<() => void>()
  readonly #stdout: Tail
  readonly #stderr: Tail
  #attended = 0
  #arrivals = 0
  #outcome: Outcome | undefined
  #durationMs: number | undefined

  constructor(options: ExecutionOptions) {
    this.#options = options
    this.id = options.id
    this.sandbox = options.sandbox
    this.#stdout = new Tail(options.secrets)
    this.#stderr = new Tail(options.secrets)
  }

  /** Values that are shown to nobody. */
  get secrets(): readonly string[] {
    return this.#options.secrets
  }

  /** Undefined while it runs. */
  get outcome(): Outcome | undefined {
    return this.#outcome
  }

  /** What there is of its stream. */
  get events(): readonly StreamEvent[] {
    return this.#events
  }

  /** The execution as data. */
  get data(): ExecutionData {
    const { by, command, language } = this.#options
    const { result, problem } = this.#outcome ?? {}
    return {
      id: this.id,
      sandbox: this.sandbox,
      by,
      command,
      ...(language === undefined ? {} : { language }),
      startedAt: this.#startedAt,
      state: this.#outcome === undefined ? 'running' : problem === undefined ? 'ended' : 'failed',
      ...(this.#durationMs === undefined ? {} : { durationMs: this.#durationMs }),
      ...(result === undefined ? {} : { exitCode: result.exitCode, timedOut: result.timedOut }),
      ...(problem === undefined ? {} : { problem: problem.code }),
      stdout: this.#stdout.text,
      stderr: this.#stderr.text,
      cut: this.#stdout.isCut || this.#stderr.isCut,
    }
  }

  /**
   * Runs it.
   *
   * @param act - runs the command, until the signal stops it.
   * @throws what is none of the library's errors, once its clients are told
   */
  async run(act: (signal: AbortSignal) => Promise<ExecutionResult>): Promise<void> {
    const stop = this.#stop ?? takeController()
    this.#stop = stop
    this.#options.onChange(this)
    try {
      const result = await act(stop.signal)
      this.#succeed(result)
    } catch (error) {
      this.#fail(isSandboxError(error) ? problemOfError(error) : internalProblem())
      if (!isSandboxError(error)) throw error
      return
    }
    // What was called has ended well: it watches the signal no more.
    giveBackController(stop)
  }

  /** As `run`, of a command whose output comes as it is written. */
  stream(act: (signal: AbortSignal) => AsyncIterable<ExecutionEvent>): Promise<void> {
    return this.run(async (signal) => {
      let result: ExecutionResult | undefined
      for await (const event of act(signal)) {
        if (event.type === 'executionResult') result = event
        else this.#output(event.streamType, event.data)
      }
      if (result === undefined) throw new TypeError('A stream has ended without a result.')
      return result
    })
  }

  /** Stops it. */
  stop(reason: string): void {
    this.#stop?.abort(new Error(reason))
  }

  /** Calls `tell` when there is more of its stream, and when it has ended. @returns how to stop */
  watch(tell: () => void): () => void {
    this.#readers.add(tell)
    return () => this.#readers.delete(tell)
  }

  /** How many clients wait for its end. */
  get attended(): number {
    return this.#attended
  }

  /** How many clients have waited for its end, those that are gone among them. */
  get arrivals(): number {
    return this.#arrivals
  }

  /** A client waits for its end. @returns how it stops to wait, once */
  attend(): () => void {
    this.#attended += 1
    this.#arrivals += 1
    let isThere = true
    return () => {
      if (isThere) this.#attended -= 1
      isThere = false
    }
  }

  /** Resolves when it has ended. */
  async ended(): Promise<Outcome> {
    while (this.#outcome === undefined) {
      await new Promise<void>((resolve) => {
        const unwatch = this.watch(() => {
          if (this.#outcome === undefined) return
          unwatch()
          resolve()
        })
      })
    }
    return this.#outcome
  }

  #output(streamType: 'stdout' | 'stderr', data: string): void {
    ;(streamType === 'stdout' ? this.#stdout : this.#stderr).add(data)
    this.#tell({ event: 'output', data: JSON.stringify({ type: 'streamChunk', streamType, data }) })
  }

  #succeed(result: ExecutionResult): void {
    const { exitCode, timedOut } = result
    // The outputs are in the event: an execution that is remembered holds them once.
    this.#end({ result: { exitCode, timedOut } }, result, { event: 'result', data: resultJson(result) })
  }

  #fail(problem: ProblemData): void {
    this.#end({ problem }, problem, { event: 'problem', data: JSON.stringify(problem) })
  }

  #end(
    outcome: Outcome,
    { stdout, stderr }: Pick<ExecutionResult, 'stdout' | 'stderr'> | ProblemData,
    event: StreamEvent,
  ): void {
    this.#outcome = outcome
    this.#stop = undefined
    this.#durationMs = performance.now() - this.#start
    if (this.#events.length === 0) {
      this.#stdout.add(typeof stdout === 'string' ? stdout : '')
      this.#stderr.add(typeof stderr === 'string' ? stderr : '')
    }
    this.#stdout.end()
    this.#stderr.end()
    this.#tell(event)
    this.#options.onChange(this)
  }

  #tell(event: StreamEvent): void {
    this.#events.push(event)
    for (const tell of [...this.#readers]) tell()
  }
}
