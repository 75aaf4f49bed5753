/** Bytes kept of what comes before the command's output. */
const MOST_NOISE = 8192
/** Digits of an exit code and a line break. */
const MOST_STATUS = 8

/**
 * Tells the output of a command from what is around it: it begins after the line `<token>:begin` and ends where
 * `<token>:end <exit code>` begins. The token alone is no mark: a list of processes shows it. What comes in pieces goes out as it comes; only what may be the
 * beginning of a token waits for more.
 */
export class MarkedStream {
  readonly #begin: Buffer
  readonly #end: Buffer
  readonly #onOutput: (bytes: Buffer) => void
  #state: 'before' | 'in' | 'after' = 'before'
  #held: Buffer = Buffer.alloc(0)
  #noise: Buffer = Buffer.alloc(0)
  #exitCode: number | undefined

  constructor(token: string, onOutput: (bytes: Buffer) => void) {
    this.#begin = Buffer.from(`${token}:begin\n`)
    this.#end = Buffer.from(`${token}:end `)
    this.#onOutput = onOutput
  }

  /** Whether the command's output has begun. */
  get begun(): boolean {
    return this.#state !== 'before'
  }

  /** The command's exit code, once its output has ended. */
  get exitCode(): number | undefined {
    return this.#exitCode
  }

  /** What came before the output: its first 8 KiB. */
  get noise(): string {
    return Buffer.concat([this.#noise, this.begun ? Buffer.alloc(0) : this.#held]).toString('utf8')
  }

  push(chunk: Buffer): void {
    if (this.#exitCode !== undefined) return
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = Buffer.alloc(0)
    if (this.#state === 'before') bytes = this.#skipNoise(bytes)
    if (this.#state === 'in') bytes = this.#passOutput(bytes)
    if (this.#state === 'after') this.#readStatus(bytes)
  }

  /** No more comes: what was held is output. */
  finish(): void {
    if (this.#state === 'in' && this.#held.length > 0) this.#onOutput(this.#held)
    if (this.#state === 'in') this.#held = Buffer.alloc(0)
  }

  #skipNoise(bytes: Buffer): Buffer {
    const at = bytes.indexOf(this.#begin)
    const kept = at === -1 ? bytes.length - overlap(bytes, this.#begin) : at
    const room = Math.max(0, MOST_NOISE - this.#noise.length)
    this.#noise = Buffer.concat([this.#noise, bytes.subarray(0, Math.min(kept, room))])
    if (at !== -1) {
      this.#state = 'in'
      return bytes.subarray(at + this.#begin.length)
    }
    this.#held = Buffer.from(bytes.subarray(kept))
    return this.#held
  }

  #passOutput(bytes: Buffer): Buffer {
    const at = bytes.indexOf(this.#end)
    const length = at === -1 ? bytes.length - overlap(bytes, this.#end) : at
    if (length > 0) this.#onOutput(bytes.subarray(0, length))
    if (at !== -1) {
      this.#state = 'after'
      return bytes.subarray(at + this.#end.length)
    }
    this.#held = Buffer.from(bytes.subarray(length))
    return this.#held
  }

  #readStatus(bytes: Buffer): void {
    const end = bytes.indexOf('\n')
    if (end !== -1) this.#exitCode = Number.parseInt(bytes.toString('latin1', 0, end), 10) & 255
    else this.#held = Buffer.from(bytes.subarray(0, MOST_STATUS))
  }
}

/** How many bytes at the end of `bytes` may be the beginning of `mark`. */
function overlap(bytes: Buffer, mark: Buffer): number {
  for (let length = Math.min(bytes.length, mark.length - 1); length > 0; length--) {
    if (bytes.compare(mark, 0, length, bytes.length - length) === 0) return length
  }
  return 0
}
