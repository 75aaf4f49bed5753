import type { Readable } from 'node:stream'

/** Bytes of a cell's output that a loss tells: the last ones. */
const most = 4096
/** Bytes that are kept: more than are told, since the cut may have removed the beginning of a secret. */
const kept = 2 * most

/** The last of what a process prints. It reads as fast as the process writes, so that nothing piles up. */
export class OutputTail {
  #chunks: Buffer[] = []
  #length = 0
  #cut = false

  /** Reads a stream to its end, without keeping this process alive. */
  read(stream: Readable | null | undefined): void {
    stream?.on('data', (chunk: Buffer) => this.#add(chunk))
    stream?.on('error', () => undefined) // A broken pipe has no more output.
  }

  /** The text so far, without the words in `secrets`. Undefined where there is none. */
  text(secrets: Iterable<string>): string | undefined {
    const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
    let text = Buffer.concat(this.#chunks).toString('utf8')
    for (const secret of longestFirst) text = text.replaceAll(secret, '[secret]')
    if (this.#cut) text = text.slice(longestFirst[0]?.length)
    text = Buffer.from(text).subarray(-most).toString('utf8').trim()
    return text === '' ? undefined : text
  }

  #add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length <= 2 * kept) return
    this.#chunks = [Buffer.concat(this.#chunks).subarray(-kept)]
    this.#length = kept
    this.#cut = true
  }
}
