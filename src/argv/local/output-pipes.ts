import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { clearTimeout, setTimeout } from '../../async/clock.ts'
import { StreamText } from '../output-text.ts'

/** Seconds that other processes which hold the pipes, such as bash's `>(tee log)`, have to write after the end. */
const PIPE_GRACE = 0.1

/** Reads the output of a process as text; bytes that are no UTF-8 become U+FFFD. */
export class OutputPipes {
  readonly #stdout: Pipe
  readonly #stderr: Pipe

  constructor(child: Pick<ChildProcess, 'stdout' | 'stderr'>, maxOutput: number) {
    this.#stdout = new Pipe(child.stdout, maxOutput)
    this.#stderr = new Pipe(child.stderr, maxOutput)
  }

  /**
   * Takes what the ended process wrote, whoever still holds its pipes: libuv reads what is in them before it tells
   * that a process has ended.
   */
  async finish(): Promise<{ stdout: StreamText; stderr: StreamText }> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PIPE_GRACE * 1000)
      Promise.all([this.#stdout.closed, this.#stderr.closed]).then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
    return { stdout: this.#stdout.finish(), stderr: this.#stderr.finish() }
  }
}

class Pipe {
  readonly closed: Promise<void>
  readonly #stream: Readable | null
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #text: StreamText

  constructor(stream: Readable | null, maxOutput: number) {
    this.#stream = stream
    this.#text = new StreamText(maxOutput)
    this.closed = new Promise((resolve) => {
      stream?.once('close', resolve)
    })
    stream?.on('data', (bytes: Uint8Array) => this.#text.push(this.#decoder.decode(bytes, { stream: true })))
    // A pipe that fails is closed next, and that is all there is to know of it.
    stream?.on('error', () => undefined)
  }

  finish(): StreamText {
    this.#stream?.removeAllListeners('data').destroy()
    this.#text.push(this.#decoder.decode())
    return this.#text
  }
}
