import { INSTANCE_HEADER, LAST_EVENT_HEADER } from '../../src/protocol/headers.ts'
import { EventReader, type ServerSentEvent } from '../../src/protocol/server-sent-events.ts'
import { nextDelay } from './backoff.ts'
import { type ServiceClient, ServiceError } from './service-client.ts'

/** Whether the service is reached. */
export type ConnectionState = 'connecting' | 'connected' | 'disconnected'

/** What is told of a stream. */
interface EventStreamOptions {
  readonly client: ServiceClient
  readonly path: string
  /** The number of the event to go on behind; undefined: from now on. */
  readonly after?: number
  /** Events as they come. */
  readonly onEvents: (events: readonly ServerSentEvent[]) => void
  /** What was read before is no longer whole: at the first connection, at one to another process, and where events were dropped. */
  readonly onFresh: () => void
  readonly onState?: (state: ConnectionState) => void
  /** The token is not valid any more, or what the path names is gone: the stream has ended. */
  readonly onRefused?: (error: ServiceError) => void
}

/** Reads events of the service, and goes on behind the last one when a connection is lost. */
export class EventStream {
  readonly #options: EventStreamOptions
  readonly #end = new AbortController()
  #last: number | undefined
  #instance: string | undefined

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.#last = options.after
    void this.#run()
  }

  close(): void {
    this.#end.abort()
  }

  async #run(): Promise<void> {
    const { onState, onRefused } = this.#options
    const { signal } = this.#end
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      onState?.('connecting')
      try {
        await this.#read(() => {
          attempt = 0
          onState?.('connected')
        })
      } catch (error) {
        if (signal.aborted) return
        const isFinal = error instanceof ServiceError && finalCodes.includes(error.code)
        if (isFinal) {
          onState?.('disconnected')
          onRefused?.(error)
          return
        }
      }
      if (signal.aborted) return
      onState?.('disconnected')
      await nextDelay(attempt, signal)
    }
  }

  /** Reads one connection until it ends. */
  async #read(connected: () => void): Promise<void> {
    const { client, path, onEvents, onFresh } = this.#options
    const response = await client.send('GET', path, {
      headers: {
        accept: 'text/event-stream',
        ...(this.#last === undefined ? {} : { [LAST_EVENT_HEADER]: String(this.#last) }),
      },
      signal: this.#end.signal,
    })
    const instance = response.headers.get(INSTANCE_HEADER) ?? undefined
    connected()
    if (instance !== this.#instance) onFresh()
    // Numbers of events are those of one process.
    if (this.#instance !== undefined && instance !== this.#instance) this.#last = undefined
    this.#instance = instance
    const reader = new EventReader()
    const text = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const piece = await text?.read()
      if (piece?.value === undefined) return
      const events = reader.read(piece.value)
      this.#last = events.at(-1)?.id ?? this.#last
      if (events.some(({ event }) => event === 'gap')) onFresh()
      if (events.length > 0) onEvents(events)
    }
  }
}

/** Codes of answers that another request does not change. */
const finalCodes = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND']
