import { errorCode } from '../sandbox/error-code.ts'
import { EXIT } from './exit-codes.ts'
import { CliError } from './failure.ts'

/** A standard stream, written piece by piece. A reader that went away is no failure: what follows is dropped. */
export class Output {
  readonly #stream: NodeJS.WritableStream
  readonly #name: string
  #gone = false

  constructor(stream: NodeJS.WritableStream, name: string) {
    this.#stream = stream
    this.#name = name
    // The callback of a write tells of its failure; without a listener the same failure would end the process.
    stream.on('error', () => undefined)
  }

  /** True once the reader has gone away: nothing that is written arrives. */
  get isGone(): boolean {
    return this.#gone
  }

  /** Writes text or bytes and waits until the stream has taken all of it. */
  async write(text: string | Uint8Array): Promise<void> {
    if (text.length === 0 || this.#gone) return
    const error = await new Promise<Error | null | undefined>((resolve) => {
      this.#stream.write(text, resolve)
    })
    if (error === null || error === undefined) return
    if (!isBrokenPipe(error)) {
      throw new CliError(`${this.#name} could not be written: ${error.message}.`, EXIT.runtime, {
        cause: error,
      })
    }
    this.#gone = true
  }
}

/** The two streams of this process. */
export interface Outputs {
  readonly stdout: Output
  readonly stderr: Output
}

/** Writes what a command printed. */
export async function writeBoth(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  outputs: Outputs,
): Promise<void> {
  await outputs.stdout.write(stdout)
  await outputs.stderr.write(stderr)
}

/** Takes over the standard streams of this process. */
export function standardOutputs(): Outputs {
  return {
    stdout: new Output(process.stdout, 'standard output'),
    stderr: new Output(process.stderr, 'standard error'),
  }
}

function isBrokenPipe(error: Error): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(errorCode(error) ?? '')
}
