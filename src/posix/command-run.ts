import { clearTimeout, performance, setTimeout } from '../async/clock.ts'
import { watchSignal } from '../async/watch-signal.ts'
import { errorCode } from '../sandbox/error-code.ts'
import { SandboxAbortError, SandboxConnectionError, SandboxTimeoutError } from '../sandbox/errors.ts'
import type { ExecutionResult } from '../sandbox/results.ts'
import { showSeconds } from '../sandbox/show-value.ts'
import { CappedText } from './capped-text.ts'
import { Client, type ClientStatus } from './client.ts'
import type { EventSink } from './event-stream.ts'
import { MarkedStream } from './marked-stream.ts'
import { describeEnd, signalNumber } from './process-end.ts'
import { wrap } from './wrapper.ts'

/** A command and all that its run needs, valid and complete. */
export interface OneShotRequest {
  readonly command: string
  /** Words before the shell's; empty for a shell of this machine. */
  readonly prefix: readonly string[]
  readonly shell: string
  /** Makes of words those that the prefix's program is given. */
  readonly spell: (words: readonly string[]) => readonly string[]
  /** Environment of the client process. */
  readonly clientEnv: NodeJS.ProcessEnv
  /** Bytes that are kept of each stream. */
  readonly maxOutput: number
  /** Seconds between SIGTERM and SIGKILL. */
  readonly killGrace: number
  /** Seconds. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly stdin?: Uint8Array | undefined
}

const streams = ['stdout', 'stderr'] as const

/** Starts a command. The answer stops it; the events say how it went, unless it was stopped that way. */
export function startCommand(request: OneShotRequest, sink: EventSink): () => void {
  const { signal, timeout } = request
  if (signal?.aborted === true) throw abortError(signal)
  const run = new CommandRun(request, sink)
  if (timeout !== undefined) run.limit(timeout)
  if (signal !== undefined) run.watch(signal)
  return () => run.cancel()
}

class CommandRun {
  readonly #request: OneShotRequest
  readonly #sink: EventSink
  readonly #texts: Record<(typeof streams)[number], CappedText>
  readonly #marked: Record<(typeof streams)[number], MarkedStream>
  readonly #client: Client
  /** When the command began, by `performance.now()`. */
  #begun: number | undefined
  #settled = false
  #timer: NodeJS.Timeout | undefined
  #unwatch: (() => void) | undefined

  constructor(request: OneShotRequest, sink: EventSink) {
    this.#request = request
    this.#sink = sink
    const { argv, input, token } = wrap(request.command, request.shell, request.killGrace, request.stdin)
    const textOf = (streamType: (typeof streams)[number]) =>
      new CappedText(request.maxOutput, (data) => sink.emit({ type: 'streamChunk', data, streamType }))
    this.#texts = { stdout: textOf('stdout'), stderr: textOf('stderr') }
    this.#marked = {
      stdout: new MarkedStream(token, (bytes) => this.#texts.stdout.push(bytes)),
      stderr: new MarkedStream(token, (bytes) => this.#texts.stderr.push(bytes)),
    }
    const words = [...request.prefix, ...request.spell(argv)]
    this.#client = new Client(words, request.clientEnv, input, {
      output: (stream, bytes) => this.#output(stream, bytes),
      unstarted: (error) => this.#unstarted(error, words[0] ?? ''),
      ended: (status) => this.#ended(status),
    })
  }

  limit(seconds: number): void {
    this.#timer = setTimeout(() => {
      const error = new SandboxTimeoutError(
        `The command was stopped: it ran for longer than ${showSeconds(seconds)}.`,
        {
          output: this.#outputSoFar(),
        },
      )
      this.#interrupt(error)
    }, seconds * 1000)
  }

  watch(signal: AbortSignal): void {
    this.#unwatch = watchSignal(signal, () => this.#interrupt(abortError(signal, this.#outputSoFar())))
  }

  /** Stops the command of a consumer that has gone. */
  cancel(): void {
    if (this.#settle()) this.#stop()
  }

  #interrupt(error: Error): void {
    if (!this.#settle()) return
    this.#stop()
    this.#sink.fail(error)
  }

  #stop(): void {
    this.#client.stop(this.#request.killGrace, this.#marked.stdout.begun)
  }

  #output(stream: (typeof streams)[number], bytes: Buffer): void {
    if (this.#settled) return
    this.#marked[stream].push(bytes)
    if (this.#marked[stream].begun) this.#begun ??= performance.now()
    const { stdout, stderr } = this.#marked
    if (stdout.exitCode !== undefined && stderr.exitCode !== undefined) this.#finish(stdout.exitCode)
  }

  #finish(exitCode: number): void {
    if (!this.#settle()) return
    this.#client.leave()
    this.#result(exitCode)
  }

  #result(exitCode: number): void {
    const end = performance.now()
    const durationMs = end - (this.#begun ?? end)
    const notes = streams.map((stream) => {
      this.#marked[stream].finish()
      this.#texts[stream].finish()
      return this.#texts[stream].note(stream)
    })
    const stderr = this.#texts.stderr.text
    const separator = stderr === '' || stderr.endsWith('\n') ? '' : '\n'
    const note = notes.join('')
    const said = note === '' ? '' : `${separator}${note}`
    if (said !== '') this.#sink.emit({ type: 'streamChunk', data: said, streamType: 'stderr' })
    this.#sink.emit({
      type: 'executionResult',
      exitCode,
      stdout: this.#texts.stdout.text,
      stderr: `${stderr}${said}`,
      outputFiles: [],
      timedOut: false,
      truncated: this.#truncated(),
      durationMs,
    })
    this.#sink.end()
  }

  #truncated(): ExecutionResult['truncated'] {
    const { stdout, stderr } = this.#texts
    if (stdout.missing === 0 && stderr.missing === 0) return false
    return {
      ...(stdout.missing === 0 ? {} : { stdout: stdout.missing }),
      ...(stderr.missing === 0 ? {} : { stderr: stderr.missing }),
    }
  }

  /** The client is gone. */
  #ended(status: ClientStatus): void {
    if (!this.#settle()) return
    this.#client.leave()
    const exitCode = this.#exitCodeAfter(status)
    if (exitCode === undefined) this.#sink.fail(this.#connectionError(status))
    else this.#result(exitCode)
  }

  /** The exit code where the command's end was told on one stream at least, or the shell was one of this machine. */
  #exitCodeAfter({ signal }: ClientStatus): number | undefined {
    const { stdout, stderr } = this.#marked
    const told = stdout.exitCode ?? stderr.exitCode
    const isLocalEnd = this.#request.prefix.length === 0 && stdout.begun && signal !== null
    return told ?? (isLocalEnd ? 128 + signalNumber(signal) : undefined)
  }

  #connectionError(status: ClientStatus): SandboxConnectionError {
    const { stdout, stderr } = this.#marked
    const started = stdout.begun
    const when = started ? 'before the command had ended' : 'before the command had begun'
    const program = this.#request.prefix[0] ?? this.#request.shell
    const said = stderr.noise.trim() || stdout.noise.trim()
    const message = `${program} ${describeEnd(status)} ${when}${said === '' ? '.' : `: ${said}`}`
    return new SandboxConnectionError(message, { output: this.#outputSoFar(), started })
  }

  #unstarted(cause: Error, program: string): void {
    if (!this.#settle()) return
    const isMissing = errorCode(cause) === 'ENOENT'
    const reason = isMissing
      ? 'there is no such program on PATH. Install it, or name it by its path.'
      : cause.message
    this.#sink.fail(
      new SandboxConnectionError(`${program} could not be started: ${reason}`, { cause, started: false }),
    )
  }

  #outputSoFar(): { readonly stdout: string; readonly stderr: string } {
    return { stdout: this.#texts.stdout.text, stderr: this.#texts.stderr.text }
  }

  /** True for the first cause that ends the run. */
  #settle(): boolean {
    if (this.#settled) return false
    this.#settled = true
    clearTimeout(this.#timer)
    this.#unwatch?.()
    return true
  }
}

function abortError(
  signal: AbortSignal,
  output?: { readonly stdout: string; readonly stderr: string },
): Error {
  const message = 'The command was stopped: its signal was aborted.'
  return new SandboxAbortError(message, {
    cause: signal.reason,
    ...(output === undefined ? {} : { output }),
  })
}
