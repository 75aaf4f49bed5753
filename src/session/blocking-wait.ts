import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { performance } from '../async/clock.ts'
import { outsideRequests } from '../async/outside-requests.ts'
import { BLOCKING_WORDS } from '../contract/blocking.ts'
import type { LossData } from '../contract/errors.ts'
import { isLossData } from '../sandbox/error-schema.ts'
import { isRecord } from '../sandbox/is-record.ts'

/** Milliseconds between two checks that the worker is alive. */
const interval = 50

/** What ended a wait. */
export type BlockingEnd =
  | { readonly outcome: unknown }
  /** The call was to be cancelled, and has begun. */
  | { readonly begun: true }
  | { readonly lost: LossData }
  /** A message came that this thread cannot read. */
  | { readonly unreadable: unknown }
  /** The caller's timeout passed. */
  | 'late'
  /** The first call of the lease has taken longer than it may. */
  | 'overdue'
  /** The worker has ended. */
  | 'gone'

/** How long to wait, in seconds. */
export interface BlockingTimes {
  /** In all. */
  readonly timeout: number
  /** For each call: it starts again when a call has ended. */
  readonly perCall: number
}

/** Where this thread blocks on one session: what it has to know comes without the event loop. */
export class BlockingWait {
  /** The worker's end; it goes there with {@link BlockingWait.words}. */
  readonly farPort: MessagePort
  readonly words = new SharedArrayBuffer(8)
  readonly #port: MessagePort
  readonly #counts = new Int32Array(this.words)
  /** False where Node does not tell: then only the timeouts end a wait. */
  readonly #knowsFarEnd: boolean

  constructor() {
    const { port1, port2 } = outsideRequests(() => new MessageChannel())
    this.#port = port1
    this.farPort = port2
    this.#knowsFarEnd = hasFarEnd(port1)
  }

  /** Waits for news of one call, which must have been sent. News of other calls is dropped: their waits have ended. */
  for(id: number, { timeout, perCall }: BlockingTimes): BlockingEnd {
    const deadline = performance.now() + timeout * 1000
    let ended = this.#count('ended')
    let overdue = performance.now() + perCall * 1000
    for (;;) {
      const posted = this.#count('posted')
      const news = this.#take(id, Math.min(deadline, overdue))
      if (news !== undefined) return news
      const now = performance.now()
      if (this.#count('ended') !== ended) overdue = now + perCall * 1000
      ended = this.#count('ended')
      const left = Math.min(deadline, overdue) - now
      if (left <= 0) return deadline <= overdue ? 'late' : 'overdue'
      const woken = Atomics.wait(this.#counts, BLOCKING_WORDS.posted, posted, Math.min(left, interval))
      if (woken === 'timed-out' && !this.#isAlive()) return this.#take(id, Number.POSITIVE_INFINITY) ?? 'gone'
    }
  }

  close(): void {
    this.#port.close()
  }

  #count(word: keyof typeof BLOCKING_WORDS): number {
    return Atomics.load(this.#counts, BLOCKING_WORDS[word])
  }

  #take(id: number, deadline: number): BlockingEnd | undefined {
    try {
      for (;;) {
        const received = receiveMessageOnPort(this.#port)
        if (received === undefined) return undefined
        const news = newsOf(received.message, id)
        if (news !== undefined) return news
        if (performance.now() > deadline) return undefined
      }
    } catch (cause) {
      return { unreadable: cause }
    }
  }

  /** In Node `postMessage` says whether there is a far end to post to; it ends with its thread. */
  #isAlive(): boolean {
    return !this.#knowsFarEnd || hasFarEnd(this.#port)
  }
}

function hasFarEnd(port: MessagePort): boolean {
  const delivered: unknown = port.postMessage(null)
  return delivered === true
}

function newsOf(message: unknown, id: number): BlockingEnd | undefined {
  if (!isRecord(message)) return undefined
  const { lost } = message
  if (isLossData(lost)) return { lost }
  if (message['id'] !== id) return undefined
  return message['begun'] === true ? { begun: true } : { outcome: message['outcome'] }
}
