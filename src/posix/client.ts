import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { clearTimeout, setTimeout } from '../async/clock.ts'

/** Milliseconds that a client may take to end by itself once its command has ended. */
const MOST_FAREWELL = 1000
/** Milliseconds on top of the grace that a client may take to end once its command was stopped. */
const MOST_STOPPING = 2000

/** What a client tells. */
export interface ClientListener {
  output(stream: 'stdout' | 'stderr', bytes: Buffer): void
  /** The program could not be started. */
  unstarted(error: Error): void
  /** It has ended. Its output is whole, unless others hold the pipes: then it is what came within a moment. */
  ended(status: ClientStatus): void
}

/** How a client program ended: with a code, or by a signal. */
export interface ClientStatus {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Milliseconds that output may still come after the client has ended while others hold its pipes. */
const DRAIN = 250

/**
 * The local process that reaches a shell, such as `ssh`, or the shell itself: in a session and a process group of its own,
 * with three pipes. Its standard input stays open for as long as the command is to run: the wrapper watches it.
 */
export class Client {
  readonly #child: ChildProcess
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(argv: readonly string[], env: NodeJS.ProcessEnv, input: string, listener: ClientListener) {
    const [program = '', ...args] = argv
    const child: ChildProcess = spawn(program, args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child = child
    // Where there are no descriptors left, there are no streams, and an error comes.
    child.stdout?.on('data', (bytes: Buffer) => listener.output('stdout', bytes))
    child.stderr?.on('data', (bytes: Buffer) => listener.output('stderr', bytes))
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream?.on('error', () => undefined) // A pipe that breaks tells what the end of the process tells.
    }
    child.once('error', (error) => {
      if (child.pid === undefined) listener.unstarted(error)
    })
    let drain: NodeJS.Timeout | undefined
    child.once('exit', (code, signal) => {
      clearTimeout(this.#timer)
      child.stdin?.destroy()
      if (this.#isOver) this.#closeOutput()
      else drain = setTimeout(() => listener.ended({ code, signal }), DRAIN)
    })
    child.once('close', (code, signal) => {
      clearTimeout(drain)
      if (child.pid !== undefined) listener.ended({ code, signal })
    })
    child.stdin?.write(input)
  }

  /** The command has ended: what it left in the background may go on, and loses its pipes. */
  leave(): void {
    this.#detach()
    this.#closeOutput()
    this.#afterwards(MOST_FAREWELL, () => this.#child.kill('SIGKILL'))
  }

  /**
   * Ends the command and all that it started: SIGTERM, then SIGKILL after the grace. The wrapper does it, here or on a
   * remote machine; the client goes with it, or soon after. Where the command has not begun, the client goes first.
   *
   * @param grace - seconds
   */
  stop(grace: number, hasBegun: boolean): void {
    this.#detach()
    if (!hasBegun) this.#child.kill('SIGTERM')
    this.#afterwards(grace * 1000 + MOST_STOPPING, () => this.#killGroup())
  }

  #closeOutput(): void {
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
  }

  /** Closes standard input, and keeps nothing here alive: the wrapper ends the command even if this process is gone. */
  #detach(): void {
    this.#isOver = true
    const { stdin, stdout, stderr } = this.#child
    stdin?.destroy()
    for (const stream of [stdout, stderr]) ignore(stream)
    this.#child.unref()
  }

  #afterwards(milliseconds: number, act: () => void): void {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null)
      return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(act, milliseconds).unref()
  }

  #killGroup(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended in this moment.
    }
  }
}

/** Reads on, so that nobody blocks on a full pipe, and drops what comes. */
function ignore(stream: Readable | null): void {
  if (stream === null) return
  stream.removeAllListeners('data').resume()
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
}
