import type { TransferListItem } from 'node:worker_threads'

/**
 * The host's end of the connection between a lease and its shell. A `MessagePort` is one; so would be one of several
 * channels that share a port.
 */
export interface Endpoint {
  postMessage(message: unknown, transfer?: readonly TransferListItem[]): void
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'messageerror', listener: (error: Error) => void): unknown
  on(event: 'close', listener: () => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
  off(event: 'messageerror', listener: (error: Error) => void): unknown
  off(event: 'close', listener: () => void): unknown
  removeAllListeners(): unknown
  /** Keeps the process alive. */
  ref(): void
  unref(): void
  close(): void
}
