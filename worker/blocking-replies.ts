import type { MessagePort } from 'node:worker_threads'
import type { BlockingReply, Outcome } from '../src/contract/shell-api.ts'

/** Where the replies go that a thread waits for standing still. */
export class BlockingReplies {
  readonly #port: MessagePort
  readonly #posted: Int32Array

  constructor(port: MessagePort, posted: SharedArrayBuffer) {
    this.#port = port
    this.#posted = new Int32Array(posted)
    // The far side posts to learn whether this thread still lives; what it posts is nothing.
    port.on('message', () => undefined).unref()
  }

  /** Posts a reply, and wakes who waits for it. */
  post(id: number, outcome: Outcome<unknown>): void {
    const reply: BlockingReply = { id, outcome }
    this.#port.postMessage(reply, outcome.ok ? memoryOf(outcome.value) : [])
    Atomics.add(this.#posted, 0, 1)
    Atomics.notify(this.#posted, 0)
  }

  close(): void {
    this.#port.close()
  }
}

/** What can move instead of being copied: every such value was made for its reply. */
function memoryOf(value: unknown): ArrayBuffer[] {
  if (value instanceof ArrayBuffer) return [value]
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : []
}
