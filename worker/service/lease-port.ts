import type { MessagePort } from 'node:worker_threads'
import * as Comlink from 'comlink'
import type { CheckpointPart } from '../../src/contract/checkpoint.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { LeaseOrder } from '../../src/contract/lease.ts'
import type { ShellApi } from '../../src/contract/shell-api.ts'
import type { HostSignal, SignalMessage, WorkerSignal } from '../../src/contract/signals.ts'
import { FarError } from './far-error.ts'

/** What is served on a lease's port. */
export interface ServedLease {
  /** Comlink's calls are made on it. */
  readonly api: ShellApi
  /** Told of each signal of the host, in order with the calls. */
  readonly onSignal: (signal: HostSignal) => void
  /** Told once, when the port is closed. */
  readonly onClose: () => void
}

/** What is to be built, once the host says so. @throws {FarError} where nothing is */
export function orderOn(port: MessagePort): Promise<LeaseOrder> {
  return new Promise((resolve, reject) => {
    port.once('message', (order: LeaseOrder | undefined) => {
      if (order !== undefined) resolve(order)
      else reject(new FarError({ code: 'IO_ERROR', message: 'The host gave the opening up.' }))
    })
  })
}

/** The worker's end of what a lease is served on: nothing else reads it or posts to it. */
export class LeasePort {
  readonly #port: Endpoint

  constructor(port: Endpoint) {
    this.#port = port
  }

  /** Reads the port from now on. */
  serve({ api, onSignal, onClose }: ServedLease): void {
    const port = this.#port
    let onCall: ((event: { readonly data: unknown }) => void) | undefined
    port.on('close', onClose)
    port.on('message', (message: unknown) => {
      if (isSignal(message)) onSignal(message.signal)
      else onCall?.({ data: message })
    })
    Comlink.expose(api, {
      postMessage: port.postMessage.bind(port),
      addEventListener: (_, listener) => {
        onCall = listener
      },
      removeEventListener: () => {
        onCall = undefined
      },
    })
  }

  send(signal: WorkerSignal): void {
    this.#port.postMessage({ signal } satisfies SignalMessage)
  }

  /** The bytes of the checkpoint move to the host. */
  sendCheckpoint(part: CheckpointPart | null): void {
    const message: SignalMessage = { signal: { kind: 'checkpoint', part } }
    this.#port.postMessage(message, part === null ? [] : part.contents.map(({ bytes }) => bytes.buffer))
  }
}

function isSignal(message: unknown): message is SignalMessage<HostSignal> {
  return typeof message === 'object' && message !== null && 'signal' in message
}
