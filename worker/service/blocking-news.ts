import type { MessagePort } from 'node:worker_threads'
import { BLOCKING_WORDS, type BlockingNews } from '../../src/contract/blocking.ts'

/** The port on which a blocked thread gets its news. */
export class BlockingNewsPort {
  readonly #port: MessagePort
  readonly #words: Int32Array

  constructor(port: MessagePort, words: SharedArrayBuffer) {
    this.#port = port
    this.#words = new Int32Array(words)
    // The host posts `null` to learn whether this thread is alive.
    port.on('message', () => undefined).unref()
  }

  /** Posts news, and wakes the thread that waits for it. */
  post(news: BlockingNews): void {
    this.#port.postMessage(news, memoryOf(news))
    this.#wake(BLOCKING_WORDS.posted)
  }

  /** A call has ended, of whatever kind: the next one's time runs. */
  ended(): void {
    this.#wake(BLOCKING_WORDS.ended)
  }

  close(): void {
    this.#port.close()
  }

  #wake(word: number): void {
    Atomics.add(this.#words, word, 1)
    Atomics.notify(this.#words, BLOCKING_WORDS.posted)
  }
}

/** What can move instead of being copied: the memory of a value, which was made for its reply. */
function memoryOf(news: BlockingNews): ArrayBuffer[] {
  if (!('outcome' in news) || !news.outcome.ok) return []
  const { value } = news.outcome
  if (value instanceof ArrayBuffer) return [value]
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : []
}
