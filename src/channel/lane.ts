import type { Endpoint } from '../contract/endpoint.ts'
import type { Decoded } from './decode.ts'

/** What a lane tells its channel. */
export interface LaneEvents {
  readonly onMessage: (message: unknown) => void
  /** A message was posted that cannot be read in this thread. */
  readonly onUnreadable: (cause: Error) => void
  /** The other end of the port was closed. */
  readonly onClosed: () => void
}

/** A bridged port. It does not keep the process alive: the holder of its other end does that while it waits. */
export class Lane {
  readonly #port: Endpoint
  readonly #events: LaneEvents

  constructor(port: Endpoint, events: LaneEvents) {
    this.#port = port
    this.#events = events
    port.on('message', events.onMessage)
    port.on('messageerror', events.onUnreadable)
    port.on('close', events.onClosed)
    port.unref()
  }

  /** Posts a message of the far side, whose buffers move on without a copy. */
  deliver({ value, buffers }: Decoded): void {
    this.#port.postMessage(value, buffers)
  }

  /** Closes the port, and reports nothing more; what was posted to it before still arrives. */
  close(): void {
    const { onMessage, onUnreadable, onClosed } = this.#events
    this.#port.off('message', onMessage)
    this.#port.off('messageerror', onUnreadable)
    this.#port.off('close', onClosed)
    this.#port.close()
  }
}
