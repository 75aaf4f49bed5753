import type { Readable } from 'node:stream'

/** Bytes of a cell's output that are kept: its last. */
const most = 4096

/** The last of what a process prints. It reads as fast as the process writes, so that nothing piles up. */
export class OutputTail {
  #chunks: Buffer[] = []
  #length = 0

  /** Reads a stream to its end, without keeping this process alive. */
  read(stream: Readable | null): void {
    stream?.on('data', (chunk: Buffer) => this.#add(chunk))
    stream?.on('error', () => undefined) // A pipe that breaks has no more to say.
  }

  /** The text so far, without the words in `secrets`. Undefined where there is none. */
  text(secrets: Iterable<string>): string | undefined {
    let text = Buffer.concat(this.#chunks).subarray(-most).toString('utf8').trim()
    for (const secret of secrets) text = text.replaceAll(secret, '[secret]')
    return text === '' ? undefined : text
  }

  #add(chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(-most))
    this.#length += chunk.length
    if (this.#length <= 2 * most) return
    this.#chunks = [Buffer.concat(this.#chunks).subarray(-most)]
    this.#length = most
  }
}
