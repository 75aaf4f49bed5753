import {
  COMMAND_CALL_BOUNDS,
  type CommandAnswer,
  type CommandCall,
  type OutputChunk,
} from '../../src/contract/host-commands.ts'
import type { Outcome } from '../../src/contract/shell-api.ts'
import type {
  AnswerSignal,
  CommandEndSignal,
  CommandSignal,
  EgressEndSignal,
  EgressSignal,
  FileDoneSignal,
  FileSignal,
  OutputSignal,
} from '../../src/contract/signals.ts'
import { toErrorData } from './far-error.ts'

type Send = (
  signal: CommandSignal | CommandEndSignal | FileDoneSignal | OutputSignal | EgressSignal | EgressEndSignal,
) => void

/** The files of a shell. */
interface Files {
  readFile(path: string): Promise<Outcome<Uint8Array>>
  writeFile(path: string, content: Uint8Array<ArrayBuffer>): Promise<Outcome<null>>
}

interface WaitingCommand {
  readonly name: string
  readonly settle: (answer: CommandAnswer) => void
}

/** A command that ended before its function did. */
const STOPPED = 130

/**
 * The way from the call that runs up to its caller: commands that are functions of the caller, and output as it comes. What
 * the functions do with files meanwhile is done here, and never waits behind the command.
 */
export class Caller {
  readonly #send: Send
  readonly #running: () => number | undefined
  readonly #waiting = new Map<number, WaitingCommand>()
  #lastId = 0
  /** Calls that the caller's thread blocks on. */
  #blocking = 0
  #closed = false

  /** @param running - the number of the call that runs; undefined where none does. */
  constructor(send: Send, running: () => number | undefined) {
    this.#send = send
    this.#running = running
  }

  /** Sends a piece of the output of the call that runs. */
  output(chunk: OutputChunk): void {
    const call = this.#running()
    if (call !== undefined && !this.#closed) this.#send({ kind: 'output', call, ...chunk })
  }

  /** Tells of a request to the network. */
  egress(signal: EgressSignal | EgressEndSignal): void {
    if (!this.#closed) this.#send(signal)
  }

  /** Runs a function of the caller. Always resolves: where it cannot run, and when a signal fires, with a failure. */
  command(request: CommandCall, signals: readonly AbortSignal[]): Promise<CommandAnswer> {
    const call = this.#running()
    const refusal = this.#refusal(request, call)
    if (refusal !== undefined || call === undefined)
      return Promise.resolve(failure(`${request.name}: ${refusal ?? notOpen}\n`))
    if (signals.some(({ aborted }) => aborted)) return Promise.resolve(failure('', STOPPED))
    const id = ++this.#lastId
    return new Promise((resolve) => {
      const stop = () => {
        if (!this.#waiting.has(id)) return
        if (!this.#closed) this.#send({ kind: 'commandEnd', id })
        settle(failure('', STOPPED))
      }
      const settle = (answer: CommandAnswer) => {
        this.#waiting.delete(id)
        for (const signal of signals) signal.removeEventListener('abort', stop)
        resolve(answer)
      }
      this.#waiting.set(id, { name: request.name, settle })
      for (const signal of signals) signal.addEventListener('abort', stop)
      this.#send({ kind: 'command', id, call, ...request })
    })
  }

  /** A function has ended. Nothing happens where its command has ended before. */
  answered({ id, answer }: AnswerSignal): void {
    this.#waiting.get(id)?.settle(answer)
  }

  /** Does what a function wants of the session's files, while its command waits. */
  async file({ id, command, file }: FileSignal, files: Files): Promise<void> {
    const outcome = this.#waiting.has(command) ? await act(file, files) : over
    if (!this.#closed) this.#send({ kind: 'fileDone', id, outcome })
  }

  /** The caller's thread blocks until `end` has settled: no function of it can run meanwhile. */
  block(end: Promise<unknown>): void {
    this.#blocking += 1
    const settled = () => {
      this.#blocking -= 1
    }
    end.then(settled, settled)
    for (const [id, { name, settle }] of this.#waiting) {
      this.#send({ kind: 'commandEnd', id })
      settle(failure(`${name}: ${blocked}\n`))
    }
  }

  /** The lease is over. */
  close(): void {
    this.#closed = true
    for (const { settle } of this.#waiting.values()) settle(failure('', STOPPED))
  }

  #refusal(request: CommandCall, call: number | undefined): string | undefined {
    if (this.#closed || call === undefined) return notOpen
    return this.#blocking > 0 ? blocked : excessOf(request)
  }
}

const notOpen = 'a command of the caller runs only in an open session, not in its init script'
const blocked =
  "a command of the caller cannot run while the caller's thread waits in sandbox.sync: await execute() instead"
const over: Outcome<never> = {
  ok: false,
  error: { code: 'IO_ERROR', message: 'The command of this function has ended.' },
}

async function act(file: FileSignal['file'], files: Files): Promise<Outcome<Uint8Array | null>> {
  try {
    return await (file.act === 'read' ? files.readFile(file.path) : files.writeFile(file.path, file.content))
  } catch (error) {
    return { ok: false, error: toErrorData(error) }
  }
}

function excessOf({ args, env, stdin }: CommandCall): string | undefined {
  const { words, characters, stdin: bytes } = COMMAND_CALL_BOUNDS
  let length = 0
  for (const word of args) length += word.length
  for (const [name, value] of env) length += name.length + value.length
  if (args.length + env.length > words || length > characters) return 'Argument list too long'
  return stdin.byteLength > bytes ? `standard input is longer than ${bytes} bytes` : undefined
}

function failure(stderr: string, exitCode = 1): CommandAnswer {
  return { exitCode, stdout: new Uint8Array(), stderr: new TextEncoder().encode(stderr) }
}
