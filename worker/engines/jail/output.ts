import type { OutputChunk } from '../../../src/contract/host-commands.ts'
import type { BoundedOutput } from '../../service/command-output.ts'
import { cut } from '../../service/cut.ts'
import type { Sink } from './channel/channel.ts'

type Stream = OutputChunk['stream']

/** What was taken of one stream. */
class StreamText {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #kept: string[] = []
  #bytes = 0
  #size = 0

  /** Takes bytes; gives the text that is kept of them. Bytes that are no UTF-8 become U+FFFD. */
  take(bytes: Buffer | undefined, limit: number, edit: (text: string) => string): string {
    const whole = edit(this.#decoder.decode(bytes, { stream: bytes !== undefined }))
    if (whole === '') return ''
    // What comes after a cut would not continue what was kept.
    const text = this.#bytes < this.#size ? '' : cut(whole, limit - this.#bytes)
    this.#size += Buffer.byteLength(whole)
    if (text === '') return ''
    this.#bytes += Buffer.byteLength(text)
    this.#kept.push(text)
    return text
  }

  get whole(): { readonly text: string; readonly size: number } {
    return { text: this.#kept.join(''), size: this.#size }
  }
}

const asItIs = (text: string) => text

/** Takes the output of a command, within its bound, and sends it as it comes. */
export class TakenOutput implements Sink {
  readonly #limit: number
  readonly #send: ((chunk: OutputChunk) => void) | undefined
  readonly #edit: (text: string) => string
  readonly #streams = { stdout: new StreamText(), stderr: new StreamText() }

  /**
   * @param limit - bytes of each stream.
   * @param edit - what becomes of standard error.
   * @param send - undefined: nothing is sent.
   */
  constructor(
    limit: number,
    edit: (text: string) => string,
    send: ((chunk: OutputChunk) => void) | undefined,
  ) {
    this.#limit = limit
    this.#send = send
    this.#edit = edit
  }

  out(bytes: Buffer): void {
    this.#take('stdout', bytes)
  }

  err(bytes: Buffer): void {
    this.#take('stderr', bytes)
  }

  /** All that came. */
  end(): BoundedOutput {
    this.#take('stdout', undefined)
    this.#take('stderr', undefined)
    return { stdout: this.#streams.stdout.whole, stderr: this.#streams.stderr.whole }
  }

  #take(stream: Stream, bytes: Buffer | undefined): void {
    const text = this.#streams[stream].take(bytes, this.#limit, stream === 'stderr' ? this.#edit : asItIs)
    if (text !== '') this.#send?.({ stream, text })
  }
}
