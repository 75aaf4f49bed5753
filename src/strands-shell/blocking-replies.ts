import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { BlockingReply } from '../contract/shell-api.ts'
import { outsideRequests } from '../host/outside-requests.ts'
import { isRecord } from '../sandbox/error-shapes.ts'

/** Milliseconds between two looks whether the worker still lives. */
const interval = 50

/** Where this thread waits for the replies of one session standing still: no event of its own is needed. */
export class BlockingReplies {
  /** The worker's end; it goes there with {@link BlockingReplies.posted}. */
  readonly farPort: MessagePort
  /** One 32-bit word: how many replies were posted. */
  readonly posted = new SharedArrayBuffer(4)
  readonly #port: MessagePort
  readonly #count = new Int32Array(this.posted)
  /** False on a Node that does not say: then only the deadline ends a wait. */
  readonly #knowsFarEnd: boolean

  constructor() {
    const { port1, port2 } = outsideRequests(() => new MessageChannel())
    this.#port = port1
    this.farPort = port2
    this.#knowsFarEnd = hasFarEnd(port1)
  }

  /**
   * Waits for the reply to one call, which must have been sent. Replies to others are nobody's any more.
   *
   * @param deadline - by `performance.now()`.
   */
  wait(id: number, deadline: number): { readonly outcome: unknown } | 'late' | 'gone' {
    for (;;) {
      const seen = Atomics.load(this.#count, 0)
      const reply = this.#take(id)
      if (reply !== undefined) return reply
      const left = deadline - performance.now()
      if (left <= 0) return 'late'
      const woken = Atomics.wait(this.#count, 0, seen, Math.min(left, interval)) !== 'timed-out'
      if (!woken && !this.#isAlive()) return this.#take(id) ?? 'gone'
    }
  }

  close(): void {
    this.#port.close()
  }

  #take(id: number): BlockingReply | undefined {
    for (;;) {
      const received = receiveMessageOnPort(this.#port)
      if (received === undefined) return undefined
      if (isReply(received.message) && received.message.id === id) return received.message
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

function isReply(message: unknown): message is BlockingReply {
  return isRecord(message) && typeof message['id'] === 'number' && 'outcome' in message
}
