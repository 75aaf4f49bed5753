import { EventEmitter } from 'node:events'
import type { TransferListItem } from 'node:worker_threads'
import type { Endpoint } from '../../../src/contract/endpoint.ts'

/** One of two ends of a connection in memory: a message arrives as a clone, in a microtask. */
export class MemoryEndpoint extends EventEmitter implements Endpoint {
  /** Whether it keeps the process alive. */
  isReferenced = true
  isClosed = false
  #peer: MemoryEndpoint = this

  static pair(): readonly [near: MemoryEndpoint, far: MemoryEndpoint] {
    const [near, far] = [new MemoryEndpoint(), new MemoryEndpoint()]
    near.#peer = far
    far.#peer = near
    return [near, far]
  }

  postMessage(message: unknown, _transfer?: readonly TransferListItem[]): void {
    const copy: unknown = structuredClone(message)
    queueMicrotask(() => {
      if (!this.isClosed && !this.#peer.isClosed) this.#peer.emit('message', copy)
    })
  }

  ref(): void {
    this.isReferenced = true
  }

  unref(): void {
    this.isReferenced = false
  }

  /** Closes both ends; each tells it in a microtask. */
  close(): void {
    for (const end of [this, this.#peer]) {
      if (end.isClosed) continue
      end.isClosed = true
      queueMicrotask(() => end.emit('close'))
    }
  }
}
