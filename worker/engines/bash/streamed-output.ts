import type { OutputChunk } from '../../../src/contract/host-commands.ts'
import type { BoundedOutput } from '../../service/command-output.ts'
import { cut } from '../../service/cut.ts'
import type { ExecResult } from './just-bash.ts'
import { gatheredLast } from './session/statement-output.ts'
import { readable } from './text/bytes.ts'

type Stream = OutputChunk['stream']

/** What was taken of one stream of the script that runs. */
interface Taken {
  length: number
  chunks: number
}

const nothing = (): Taken => ({ length: 0, chunks: 0 })

/** Sends the output of each statement as it ends, within the bound of a command's output. */
export class StreamedOutput {
  readonly #send: (chunk: OutputChunk) => void
  readonly #clean: (stderr: string) => string
  readonly #maxOutput: number
  readonly #sent = { stdout: { text: '', bytes: 0, size: 0 }, stderr: { text: '', bytes: 0, size: 0 } }
  #taken = { stdout: nothing(), stderr: nothing() }

  /**
   * @param maxOutput - bytes of each stream.
   * @param clean - takes out of standard error what just-bash alone says.
   */
  constructor(
    maxOutput: number,
    { send, clean }: { send: (chunk: OutputChunk) => void; clean: (stderr: string) => string },
  ) {
    this.#maxOutput = maxOutput
    this.#send = send
    this.#clean = clean
  }

  /** All that was sent. */
  get sent(): BoundedOutput {
    return this.#sent
  }

  /** A script begins. */
  begin(): void {
    this.#taken = { stdout: nothing(), stderr: nothing() }
  }

  /** A statement of the script itself has ended just now. */
  statementEnded(): void {
    const gathered = gatheredLast()
    if (gathered === undefined) return
    this.#take('stdout', gathered.stdoutChunks)
    this.#take('stderr', gathered.stderrChunks)
  }

  /** The script has ended: sends what was not yet sent. */
  ended({ stdout, stderr }: Pick<ExecResult, 'stdout' | 'stderr'>): void {
    this.#put('stdout', stdout.slice(this.#taken.stdout.length))
    this.#put('stderr', stderr.slice(this.#taken.stderr.length))
    this.begin()
  }

  #take(stream: Stream, chunks: readonly string[]): void {
    const taken = this.#taken[stream]
    const text = chunks.slice(taken.chunks).join('')
    this.#taken[stream] = { length: taken.length + text.length, chunks: chunks.length }
    this.#put(stream, text)
  }

  #put(stream: Stream, output: string): void {
    const whole = readable(stream === 'stderr' ? this.#clean(output) : output)
    if (whole === '') return
    const sent = this.#sent[stream]
    // What comes after a cut would not continue what was sent.
    const text = sent.bytes < sent.size ? '' : cut(whole, this.#maxOutput - sent.bytes)
    sent.size += Buffer.byteLength(whole)
    if (text === '') return
    sent.bytes += Buffer.byteLength(text)
    sent.text += text
    this.#send({ stream, text })
  }
}
