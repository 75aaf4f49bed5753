import { MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import * as Comlink from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import type { CheckpointPart } from '../contract/checkpoint.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { LossData } from '../contract/errors.ts'
import type { ShellApi } from '../contract/shell-api.ts'
import type { BlockSignal, HostSignal, SignalMessage } from '../contract/signals.ts'
import { type CallerSignal, isCallerSignal } from './caller-signal-schema.ts'
import { claimsCheckpoint, isCheckpointPart } from './checkpoint-schema.ts'
import { isLostSignal } from './lost-signal-schema.ts'
import { RemoteMethods } from './remote-methods.ts'

/** What a connection reports. */
export interface ConnectionListeners {
  /** The worker says that the session is over. */
  readonly onLost: (loss: LossData) => void
  /** The worker hands over what a call has changed; undefined where it is not of the contract's shape. */
  readonly onCheckpoint: (part: CheckpointPart | null | undefined) => void
  /** A call that runs asks something of its caller. */
  readonly onCallerSignal: (signal: CallerSignal) => void
  /** The worker has closed the connection. */
  readonly onClosed: () => void
}

/** The host's end of a lease: its calls by Comlink, and the few messages beside them. Nothing else reads the endpoint. */
export class LeaseConnection {
  /** The shell's methods. */
  readonly methods: RemoteMethods
  readonly #endpoint: Endpoint
  /** What callers that wait keep the process alive by. */
  #keeper: Pick<Endpoint, 'ref' | 'unref'>
  /** Callers that wait for a reply. */
  #awaited = 0

  constructor(endpoint: Endpoint, { onLost, onCheckpoint, onCallerSignal, onClosed }: ConnectionListeners) {
    this.#endpoint = endpoint
    this.#keeper = endpoint
    this.methods = new RemoteMethods(Comlink.wrap<ShellApi>(nodeEndpoint(endpoint)))
    endpoint.on('message', (message) => {
      if (isLostSignal(message)) onLost(message.signal.loss)
      else if (claimsCheckpoint(message)) {
        const { part } = message.signal
        onCheckpoint(isCheckpointPart(part) ? part : undefined)
      } else if (isCallerSignal(message)) onCallerSignal(message.signal)
    })
    endpoint.on('messageerror', (error) => {
      onLost({ code: 'PROTOCOL', message: `A message of the worker could not be read: ${error.message}` })
    })
    endpoint.on('close', onClosed)
    endpoint.unref()
  }

  /** True while a caller waits for a reply: the process stays alive. */
  get isAwaited(): boolean {
    return this.#awaited > 0
  }

  /** A caller begins to wait for a reply. */
  await(): void {
    if (this.#awaited++ === 0) this.#keeper.ref()
  }

  /** A caller no longer waits. */
  settled(): void {
    if (--this.#awaited === 0) this.#keeper.unref()
  }

  /**
   * A closed endpoint keeps no process alive: from now on a timer does while somebody waits, also for those that begin
   * to wait later.
   */
  keepAliveBy(timer: NodeJS.Timeout): void {
    this.#keeper = timer
    if (!this.isAwaited) timer.unref()
  }

  /** Sends what is no call. */
  send(signal: Exclude<HostSignal, BlockSignal>): void {
    this.#endpoint.postMessage({ signal } satisfies SignalMessage)
  }

  /** Sends a call whose caller's thread blocks, in order with the others. */
  sendBlocking(signal: BlockSignal): void {
    const { call } = signal
    const message: SignalMessage = { signal }
    const bytes =
      call.name === 'writeFile' ? call.content : call.name === 'run' ? call.request.stdin : undefined
    this.#endpoint.postMessage(message, bytes === undefined ? [] : [bytes.buffer])
  }

  /** Reads what has come while this thread stood still. */
  readNow(): void {
    const endpoint = this.#endpoint
    if (!(endpoint instanceof MessagePort)) return
    for (;;) {
      const received = receiveMessageOnPort(endpoint)
      if (received === undefined) return
      endpoint.emit('message', received.message)
    }
  }

  /** Keeps the process alive until the connection is closed. */
  ref(): void {
    this.#endpoint.ref()
  }

  /** Comlink holds a port for as long as its proxies live: without the listeners all of it can be collected. */
  close(): void {
    this.#endpoint.close()
    this.#endpoint.removeAllListeners()
  }
}
