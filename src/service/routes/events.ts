import * as v from 'valibot'
import { encodeEvent } from '../../protocol/server-sent-events.ts'
import { type EventSource, writeEvents } from '../event-writer.ts'
import type { FedEvent, Feed } from '../feed.ts'
import { owns, type Principal } from '../principals.ts'
import { type Call, type Route, route } from '../route.ts'
import type { ServiceParts } from '../service-parts.ts'
import { idOf, lastEventOf } from './executions.ts'

const kindsSchema = v.strictObject({
  kinds: v.pipe(
    v.optional(v.string()),
    v.description('The kinds that are wanted, with commas between them. Without it, all.'),
  ),
})
const answers = {
  200: {
    description:
      'A stream of events from now on, or from behind Last-Event-ID. The event field is the kind, the data an event of docs/serve.md.',
    mediaType: 'text/event-stream',
  },
}

/** What happens, as it happens. */
export function eventRoutes({ feed, sandboxes, closing }: ServiceParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/events',
      scope: 'read',
      summary: 'The events of all sandboxes',
      query: kindsSchema,
      answers,
      handle: async (call) => {
        const wanted = wantedBy(call.principal, call.query.kinds)
        const source = new FeedSource(feed, call, wanted)
        await writeEvents(call.response, source, untilGone(call, closing))
        return undefined
      },
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}/events',
      scope: 'read',
      owned: 'no',
      summary: 'The events of a sandbox',
      query: kindsSchema,
      answers,
      handle: async (call) => {
        const id = idOf(call)
        await sandboxes.get(call.principal, id)
        const wanted = wantedBy(call.principal, call.query.kinds)
        const source = new FeedSource(feed, call, (event) => event.sandbox === id && wanted(event))
        await writeEvents(call.response, source, untilGone(call, closing))
        return undefined
      },
    }),
  ]
}

/** How a stream is written: until its client is gone, or the service closes. */
function untilGone({ headers, gone }: Call, closing: AbortSignal) {
  return { headers, gone: AbortSignal.any([gone.signal, closing]) }
}

function wantedBy(principal: Principal, kinds: string | undefined): (event: FedEvent) => boolean {
  const named = kinds?.split(',')
  return ({ labels, kind }) => owns(principal, labels) && (named === undefined || named.includes(kind))
}

/** Characters that are written at once. */
const mostAtOnce = 65_536

/** The events of a feed that one client may see. */
class FeedSource implements EventSource {
  readonly isOver = false
  readonly #feed: Feed
  readonly #tenant: string
  readonly #wanted: (event: FedEvent) => boolean
  #sent: number

  constructor(feed: Feed, call: Call, wanted: (event: FedEvent) => boolean) {
    const last = lastEventOf(call)
    this.#feed = feed
    this.#tenant = call.principal.tenant
    this.#wanted = wanted
    // A number that this process has not given is one of a process before.
    this.#sent = Math.min(last ?? feed.last, feed.last)
  }

  next(): string | undefined {
    const { events, missed } = this.#feed.after(this.#sent)
    let text = ''
    if (missed > 0) {
      this.#sent += missed
      text += encodeEvent({
        id: this.#sent,
        event: 'gap',
        data: JSON.stringify({ kind: 'gap', time: Date.now(), missed }),
      })
    }
    for (const event of events) {
      if (text.length >= mostAtOnce) break
      this.#sent = event.number
      if (!this.#wanted(event)) continue
      text += encodeEvent({ id: event.number, event: event.kind, data: event.jsonFor(this.#tenant) })
    }
    return text === '' ? undefined : text
  }

  watch(tell: () => void): () => void {
    return this.#feed.watch(tell)
  }
}
