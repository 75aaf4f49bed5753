import { posix } from 'node:path'
import type { HostCommand, HostCommandContext } from '../config/host-command.ts'
import type { CommandAnswer, FileCall } from '../contract/host-commands.ts'
import type { Outcome } from '../contract/shell-api.ts'
import type { CommandSignal } from '../contract/signals.ts'
import { requireContent, requirePath } from '../sandbox/arguments.ts'
import { SandboxClosedError } from '../sandbox/errors.ts'
import { rebuildError } from '../sandbox/rebuild-error.ts'
import { answerOf, thrownAnswer } from './command-answer.ts'

type SendFile = (file: FileCall, done: (outcome: Outcome<Uint8Array | null>) => void) => void

/** One call of a function of the caller. */
export class CommandRun {
  /** The number of the call of the lease that it belongs to. */
  readonly call: number
  readonly #request: CommandSignal
  readonly #sendFile: SendFile
  readonly #abort = new AbortController()
  readonly #files = new Set<(error: Error) => void>()
  #over = false

  constructor(request: CommandSignal, sendFile: SendFile) {
    this.call = request.call
    this.#request = request
    this.#sendFile = sendFile
  }

  /** Runs the function. Never rejects. */
  async start(run: HostCommand['run'], maxOutput: number): Promise<CommandAnswer> {
    const { name, args } = this.#request
    try {
      return answerOf(name, await run([...args], this.#context()), maxOutput)
    } catch (error) {
      return thrownAnswer(name, error)
    } finally {
      this.#settleFiles()
    }
  }

  /** Nobody waits for the function any more. */
  end(): void {
    if (this.#abort.signal.aborted) return
    this.#settleFiles()
    this.#abort.abort(ended())
  }

  #context(): HostCommandContext {
    const { stdin, env, cwd } = this.#request
    return {
      stdin: new TextDecoder().decode(stdin),
      stdinBytes: stdin,
      env: Object.assign(Object.create(null), Object.fromEntries(env)),
      cwd,
      signal: this.#abort.signal,
      readFile: async (path) => {
        const content = await this.#file({ act: 'read', path: this.#absolute(path) })
        return content ?? new Uint8Array()
      },
      writeFile: async (path, content) => {
        const bytes =
          typeof content === 'string' ? new TextEncoder().encode(content) : requireContent(content)
        await this.#file({ act: 'write', path: this.#absolute(path), content: new Uint8Array(bytes) })
      },
    }
  }

  #absolute(path: string): string {
    return posix.resolve(this.#request.cwd, requirePath(path))
  }

  #file(file: FileCall): Promise<Uint8Array | null> {
    return new Promise((resolve, reject) => {
      if (this.#over) {
        reject(ended())
        return
      }
      this.#files.add(reject)
      this.#sendFile(file, (outcome) => {
        this.#files.delete(reject)
        if (outcome.ok) resolve(outcome.value)
        else reject(rebuildError(outcome.error))
      })
    })
  }

  /** What the function still waits for is not answered any more. */
  #settleFiles(): void {
    this.#over = true
    for (const reject of this.#files) reject(ended())
    this.#files.clear()
  }
}

function ended(): SandboxClosedError {
  return new SandboxClosedError('The command of this function has ended.')
}
