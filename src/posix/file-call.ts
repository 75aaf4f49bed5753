import { SandboxIoError } from '../sandbox/errors.ts'
import type { ExecutionResult } from '../sandbox/results.ts'
import { failureMessage, scriptFailure } from '../sandbox/shell-files/failure.ts'
import { quote } from '../sandbox/show-value.ts'
import { FRAMES } from './file-scripts.ts'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

type Frames<Count extends 1 | 2> = Count extends 1 ? [Buffer] : [Buffer, Buffer]

/** One file operation on one path: its commands, and the errors that their failures stand for. */
export class FileCall {
  readonly #verb: string
  readonly #path: string
  readonly #execute: (command: string) => Promise<ExecutionResult>

  constructor(verb: string, path: string, execute: (command: string) => Promise<ExecutionResult>) {
    this.#verb = verb
    this.#path = path
    this.#execute = execute
  }

  /** Runs a command. @throws the error that its failure stands for */
  async run(command: string): Promise<ExecutionResult> {
    const result = await this.#execute(command)
    if (result.exitCode === 0) return result
    throw scriptFailure(result, this.#verb, this.#path)
  }

  /** Runs a command that prints base64 in frames, and decodes it. @throws SandboxIoError for any other output */
  async frames<const Count extends 1 | 2>(command: string, count: Count): Promise<Frames<Count>>
  async frames(command: string, count: 1 | 2): Promise<Buffer[]> {
    const { stdout } = await this.run(command)
    const end = `\n${FRAMES.end}\n`
    if (!stdout.endsWith(end))
      throw this.#garbled('was cut off, or followed by something else', stdout.slice(-200))
    if (!stdout.startsWith(`${FRAMES.begin}\n`)) {
      throw this.#garbled(
        'has something before it, such as what a shell profile prints',
        stdout.slice(0, 200),
      )
    }
    const frames = stdout.slice(FRAMES.begin.length, -end.length).split(`\n${FRAMES.next}`)
    const texts = frames.map((frame) => frame.replaceAll(/[\r\n]/g, ''))
    if (texts.length !== count || !texts.every(isBase64)) {
      throw this.#garbled('is not base64: something else was printed among it', stdout.slice(0, 200))
    }
    return texts.map((text) => Buffer.from(text, 'base64'))
  }

  /** The error of anything that is neither a missing path nor a missing permission. */
  failure(reason: string): SandboxIoError {
    return new SandboxIoError(failureMessage(this.#verb, this.#path, reason), { path: this.#path })
  }

  #garbled(how: string, shown: string): SandboxIoError {
    return this.failure(`what the shell printed ${how}: ${quote(shown)}.`)
  }
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && base64.test(text)
}
