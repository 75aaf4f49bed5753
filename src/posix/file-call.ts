import {
  type SandboxError,
  SandboxIoError,
  SandboxPathNotFoundError,
  SandboxPermissionError,
} from '../sandbox/errors.ts'
import type { ExecutionResult } from '../sandbox/results.ts'
import { quote } from '../sandbox/show-value.ts'
import { FILE_EXITS, FRAMES } from './file-scripts.ts'

const SHOWN_CHARACTERS = 1000
const base64 = /^[A-Za-z0-9+/]*={0,2}$/
const notFound = /: (no such file( or directory)?|not a directory|directory nonexistent)$/im
const denied = /: (permission denied|operation not permitted|read-only file system)$/im

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
    throw this.#failureOf(result)
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
    return new SandboxIoError(this.#message(reason), { path: this.#path })
  }

  #garbled(how: string, shown: string): SandboxIoError {
    return this.failure(`what the shell printed ${how}: ${quote(shown)}.`)
  }

  #failureOf({ exitCode, stderr }: ExecutionResult): SandboxError {
    const said = stderr.trim().slice(0, SHOWN_CHARACTERS)
    const options = { path: this.#path, ...(said === '' ? {} : { cause: new Error(said) }) }
    if (denied.test(said) || exitCode === FILE_EXITS.readonly) {
      return new SandboxPermissionError(this.#message(said || 'it is read-only.'), options)
    }
    if (exitCode === FILE_EXITS.notDirectory || (notFound.test(said) && exitCode !== FILE_EXITS.missing)) {
      return new SandboxPathNotFoundError(this.#message(said || 'it is not a directory.'), options)
    }
    if (exitCode === FILE_EXITS.missing && (said === '' || notFound.test(said))) {
      return new SandboxPathNotFoundError(this.#message('it does not exist.'), options)
    }
    const reason = reasons[exitCode] ?? (said || `the command ended with exit code ${exitCode}.`)
    return new SandboxIoError(this.#message(reason), options)
  }

  #message(reason: string): string {
    return `Cannot ${this.#verb} ${quote(this.#path)}: ${reason}`
  }
}

const reasons: Readonly<Record<number, string>> = {
  [FILE_EXITS.directory]: 'it is a directory.',
  [FILE_EXITS.irregular]: 'it is no regular file.',
  [FILE_EXITS.incomplete]: 'not all of the content arrived. The file is as it was.',
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && base64.test(text)
}
