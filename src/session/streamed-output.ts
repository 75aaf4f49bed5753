import type { OutputChunk } from '../contract/host-commands.ts'
import type { CommandOutput } from '../contract/shell-api.ts'
import type { PartialOutput } from '../sandbox/errors.ts'
import type { StreamChunk } from '../sandbox/results.ts'

/** Chunks that wait for their reader, at most. Later ones come with the result. */
const mostWaiting = 10_000

/**
 * The output of one command on its way to a reader that may be slow. What waits is no more than the command may give: beyond
 * that nothing is taken, and the rest comes with the result.
 */
export class StreamedOutput {
  readonly #most: number
  readonly #taken = { stdout: '', stderr: '' }
  readonly #waiting: StreamChunk[] = []
  #isFull = false
  #ended = false
  #failure: { readonly error: unknown } | undefined
  #wake: (() => void) | undefined

  /** @param most - bytes that the command may give. */
  constructor(most: number) {
    this.#most = most
  }

  /** What has come. */
  get taken(): PartialOutput {
    return { ...this.#taken }
  }

  /** Takes a piece of output. */
  push({ stream, text }: OutputChunk): void {
    const length = this.#taken.stdout.length + this.#taken.stderr.length + text.length
    if (length > this.#most || this.#waiting.length >= mostWaiting) this.#isFull = true
    if (this.#isFull || this.#ended) return
    this.#add(stream, text)
  }

  /** True where a result begins with what was taken. */
  continues({ stdout, stderr }: CommandOutput): boolean {
    return stdout.startsWith(this.#taken.stdout) && stderr.startsWith(this.#taken.stderr)
  }

  /** The command has ended, with a result that continues what was taken. */
  end({ stdout, stderr }: CommandOutput): void {
    const rest = {
      stdout: stdout.slice(this.#taken.stdout.length),
      stderr: stderr.slice(this.#taken.stderr.length),
    }
    for (const stream of ['stdout', 'stderr'] as const)
      if (rest[stream] !== '') this.#add(stream, rest[stream])
    this.#ended = true
    this.#wake?.()
  }

  /** The call has failed: its reader gets what was taken, then the error. */
  fail(error: unknown): void {
    this.#failure = { error }
    this.#wake?.()
  }

  /** Yields each piece once, until the command has ended. @throws what the call has failed with */
  async *read(): AsyncGenerator<StreamChunk, void> {
    for (;;) {
      const chunk = this.#waiting.shift()
      if (chunk !== undefined) yield chunk
      else if (this.#failure !== undefined) throw this.#failure.error
      else if (this.#ended) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #add(stream: OutputChunk['stream'], text: string): void {
    this.#taken[stream] += text
    this.#waiting.push({ type: 'streamChunk', data: text, streamType: stream })
    this.#wake?.()
  }
}
