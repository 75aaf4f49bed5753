import type { MessagePort } from 'node:worker_threads'
import type { LossData } from '../../src/contract/errors.ts'
import type { Outcome } from '../../src/contract/shell-api.ts'
import { BlockingNewsPort } from './blocking-news.ts'

/** The calls of a lease that the host's thread blocks on, and what it is told of them. */
export class BlockingCalls {
  readonly #answered = new Map<number, Promise<void>>()
  #news: BlockingNewsPort | undefined

  /** From now on there may be such calls. */
  open(port: MessagePort, words: SharedArrayBuffer): void {
    this.#news = new BlockingNewsPort(port, words)
  }

  /** Posts the outcome of a call once it is there. */
  answer(id: number, outcome: Promise<Outcome<unknown>>): void {
    const answered = outcome.then((outcome) => {
      this.#answered.delete(id)
      this.#news?.post({ id, outcome })
    })
    this.#answered.set(id, answered)
  }

  /**
   * Cancels a call; where it has begun, that is posted. Resolves when it has been answered.
   *
   * @param take - takes it out of the queue. True: it will not run.
   */
  async cancel(id: number, take: () => boolean): Promise<void> {
    const answered = this.#answered.get(id)
    if (answered !== undefined && !take()) this.#news?.post({ id, begun: true })
    await answered
  }

  /** A call has ended, of whatever kind. */
  ended(): void {
    this.#news?.ended()
  }

  /** The session is lost: a thread that blocks is told nothing else. */
  lost(loss: LossData): void {
    this.#news?.post({ lost: loss })
  }

  close(): void {
    this.#news?.close()
  }
}
