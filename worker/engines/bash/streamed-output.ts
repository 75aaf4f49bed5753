import type { OutputChunk } from '../../../src/contract/host-commands.ts'
import { cut } from './cut.ts'
import type { ExecResult } from './just-bash.ts'
import type { BoundedOutput } from './output.ts'
import { gatheredLast } from './session/statement-output.ts'

type Stream = OutputChunk['stream']

/** What was taken of one stream of the script that runs. */
interface Taken {
  /** As just-bash holds it: text, or bytes as latin1. */
  raw: string
  text: string
  chunks: number
}

const nothing = (): Taken => ({ raw: '', text: '', chunks: 0 })

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
    this.#put('stdout', restOf(stdout, this.#taken.stdout))
    this.#put('stderr', restOf(stderr, this.#taken.stderr))
    this.begin()
  }

  #take(stream: Stream, chunks: readonly string[]): void {
    const taken = this.#taken[stream]
    const raw = chunks.slice(taken.chunks).join('')
    const text = decoded(raw)
    this.#taken[stream] = { raw: taken.raw + raw, text: taken.text + text, chunks: chunks.length }
    this.#put(stream, text)
  }

  #put(stream: Stream, output: string): void {
    const whole = stream === 'stderr' ? this.#clean(output) : output
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

/** What of a script's whole output was not taken of its statements. just-bash may have decoded the whole once more. */
function restOf(whole: string, { raw, text }: Taken): string {
  if (whole.startsWith(text)) return whole.slice(text.length)
  if (whole.startsWith(raw)) return decoded(whole.slice(raw.length))
  const bytes = Buffer.from(whole).toString('latin1')
  return bytes.startsWith(raw) ? decoded(bytes.slice(raw.length)) : whole
}

/** Bytes as latin1 become text where they are UTF-8, as just-bash has it at the end of a script. */
function decoded(output: string): string {
  if (/^[\0-\x7f]*$/.test(output) || /[^\0-\xff]/.test(output)) return output
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(output, 'latin1'))
  } catch {
    return output // Not UTF-8.
  }
}
