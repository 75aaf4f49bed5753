/**
 * The text of one output stream: UTF-8, decoded as it arrives, with no character split over two pieces; what is past the
 * cap is counted and dropped.
 */
export class CappedText {
  readonly #most: number
  readonly #onText: (text: string) => void
  /** A byte order mark is part of what the command printed. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #parts: string[] = []
  #size = 0
  #finished = false

  /** @param most - bytes that are kept */
  constructor(most: number, onText: (text: string) => void) {
    this.#most = most
    this.#onText = onText
  }

  /** What was kept so far. */
  get text(): string {
    return this.#parts.join('')
  }

  push(bytes: Buffer): void {
    const room = this.#most - this.#size
    this.#size += bytes.length
    if (room > 0) this.#add(this.#decoder.decode(bytes.subarray(0, room), { stream: true }))
  }

  /** No more comes. Half a character becomes U+FFFD, unless it was the cap that cut it. */
  finish(): void {
    if (this.#finished) return
    this.#finished = true
    if (this.#size <= this.#most) this.#add(this.#decoder.decode())
  }

  /** Bytes that were dropped, once no more comes. Where the output is no text, those past the cap. */
  get missing(): number {
    if (this.#size <= this.#most) return 0
    return this.#size - Math.min(this.#most, Buffer.byteLength(this.text))
  }

  /** A line that says what was dropped, or nothing where nothing was. */
  note(name: string): string {
    if (this.#size <= this.#most) return ''
    const kept = Buffer.byteLength(this.text)
    return `sandbox: ${name} truncated: kept ${kept} of ${this.#size} bytes (maxOutput)\n`
  }

  #add(text: string): void {
    if (text === '') return
    this.#parts.push(text)
    this.#onText(text)
  }
}
