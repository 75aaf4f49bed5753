import { signal } from '@preact/signals'
import type { SandboxData } from '../../src/protocol/sandbox-schemas.ts'
import type { ServerSentEvent } from '../../src/protocol/server-sent-events.ts'
import { type ConnectionState, EventStream } from '../service/event-stream.ts'
import { type ServiceClient, ServiceError } from '../service/service-client.ts'
import { foldEvent, LIST_KINDS } from './fold-event.ts'

/** Milliseconds until an event is shown, and between two changes of what is shown: each paints the list. */
const shortest = 50
const showTime = 1_000
/** Milliseconds before the list is read again where that has failed. */
const retryTime = 2_000

/** The sandboxes of the service, as they are now. */
export class SandboxList {
  /** By id. Replaced whole. */
  readonly sandboxes = signal<ReadonlyMap<string, SandboxData>>(new Map())
  readonly connection = signal<ConnectionState>('connecting')
  /** Whether the list was read. */
  readonly isRead = signal(false)
  readonly #client: ServiceClient
  readonly #stream: EventStream
  /** Events that are not shown yet. */
  #waiting: ServerSentEvent[] = []
  #shownAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #reading: Promise<void> | undefined
  #isStale = false
  #isClosed = false

  /** @param onRefused - called when the token lets nobody in any more */
  constructor(client: ServiceClient, onRefused: (error: ServiceError) => void) {
    this.#client = client
    this.#stream = new EventStream({
      client,
      path: `/v1/events?kinds=${LIST_KINDS.join(',')}`,
      onEvents: (events) => {
        this.#waiting.push(...events)
        this.#schedule()
      },
      onFresh: () => this.#refresh(),
      onState: (state) => {
        this.connection.value = state
      },
      onRefused,
    })
  }

  close(): void {
    this.#isClosed = true
    this.#stream.close()
    clearTimeout(this.#timer)
  }

  #refresh(): void {
    this.#isStale = true
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
  }

  /** Reads the list; what happens meanwhile is taken into what was read. */
  async #read(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false
      try {
        const all = await this.#client.sandboxes()
        this.sandboxes.value = new Map(all.map((sandbox) => [sandbox.id, sandbox]))
        this.isRead.value = true
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        // The stream tells that the connection is lost; the list is read until it is there.
        this.#isStale = true
        await new Promise((resolve) => setTimeout(resolve, retryTime))
      }
    }
    this.#schedule()
  }

  #schedule(): void {
    const wait = Math.max(shortest, this.#shownAt + showTime - Date.now())
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#reading === undefined) this.#take()
    }, wait)
  }

  #take(): void {
    const events = this.#waiting
    if (events.length === 0) return
    this.#waiting = []
    this.#shownAt = Date.now()
    const sandboxes = new Map(this.sandboxes.value)
    for (const { data } of events) foldEvent(sandboxes, JSON.parse(data))
    this.sandboxes.value = sandboxes
  }
}
