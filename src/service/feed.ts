import type { EngineName } from '../contract/lease.ts'
import { type Labels, SANDBOX_EVENTS } from '../host/event-data.ts'
import type { ServiceEvent } from '../protocol/service-events.ts'
import type { ShellHost } from '../shell-host/shell-host.ts'
import { idOfKey } from './tenant-ids.ts'

/** One event, as it is kept. */
export class FedEvent {
  /** Counts the events of the service, from 1. */
  readonly number: number
  /** The labels of the sandbox. */
  readonly labels: Labels
  readonly #event: ServiceEvent
  /** The event as JSON, made for the first who reads it: most are read by nobody. */
  #json: string | undefined

  constructor(number: number, event: ServiceEvent, labels: Labels) {
    this.number = number
    this.labels = labels
    this.#event = event
  }

  get kind(): ServiceEvent['kind'] {
    return this.#event.kind
  }

  /** The key of the sandbox that it is about; undefined for one without an id, and for an event of no sandbox. */
  get sandbox(): string | undefined {
    return 'id' in this.#event ? this.#event.id : undefined
  }

  /** The event as JSON, with the id that a tenant calls its sandbox. */
  jsonFor(tenant: string): string {
    const { sandbox = '' } = this
    const id = idOfKey(tenant, sandbox)
    if (id !== sandbox) return JSON.stringify(calling(id, this.#event))
    this.#json ??= JSON.stringify(this.#event)
    return this.#json
  }

  /** Characters that are kept of it, roughly. */
  get size(): number {
    return charactersOf(this.#event)
  }
}

/** Events that are kept for clients that come back, at most; and their characters. */
const mostEvents = 20_000
const mostText = 16 * 2 ** 20

/** The last events of a service. Readers take them at their own pace: who is too slow has a gap. */
export class Feed {
  #events: FedEvent[] = []
  #text = 0
  #number = 0
  readonly #readers = new Set<() => void>()

  /** Tells events of a host from now on. @returns how to stop */
  listen(host: ShellHost<EngineName>): () => void {
    const stops = SANDBOX_EVENTS.map((kind) => {
      const listener = (
        event: ServiceEvent & { readonly labels: Labels; readonly id?: string | undefined },
      ) => this.add(event, event.labels)
      host.on(kind, listener)
      return () => host.off(kind, listener)
    })
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** The number of the last event. */
  get last(): number {
    return this.#number
  }

  add(event: ServiceEvent, labels: Labels): void {
    this.#number += 1
    const fed = new FedEvent(this.#number, event, labels)
    this.#events.push(fed)
    this.#text += fed.size
    if (this.#events.length > mostEvents || this.#text > mostText) this.#drop()
    for (const tell of [...this.#readers]) tell()
  }

  /** The events behind a number, and how many of those are not there any more. */
  after(number: number): { readonly events: readonly FedEvent[]; readonly missed: number } {
    const first = this.#events[0]?.number ?? this.#number + 1
    const missed = Math.max(0, first - 1 - number)
    return { events: this.#events.slice(Math.max(0, number + 1 - first)), missed }
  }

  /** Calls `tell` at each new event. @returns how to stop */
  watch(tell: () => void): () => void {
    this.#readers.add(tell)
    return () => this.#readers.delete(tell)
  }

  /** Drops the older half. */
  #drop(): void {
    this.#events = this.#events.slice(Math.ceil(this.#events.length / 2))
    this.#text = this.#events.reduce((sum, { size }) => sum + size, 0)
  }
}

/** An event with another id for its sandbox. */
function calling(id: string, event: ServiceEvent): object {
  if ('execution' in event) return { ...event, id, execution: { ...event.execution, sandbox: id } }
  if (event.kind === 'created') return { ...event, id, sandbox: { ...event.sandbox, id } }
  return { ...event, id }
}

/** Characters of the texts in a value, and some for each field. */
function charactersOf(value: object): number {
  let count = 0
  for (const name in value) {
    const field: unknown = Reflect.get(value, name)
    count += 16
    if (typeof field === 'string') count += field.length
    else if (typeof field === 'object' && field !== null) count += charactersOf(field)
  }
  return count
}
