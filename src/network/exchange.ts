import type { Socket } from 'node:net'
import { performance } from '../async/clock.ts'
import { type EgressListeners, tell } from './events.ts'
import type { OpenExchange, ProxyClient } from './proxy-client.ts'
import type { EgressReason } from './reasons.ts'
import type { EgressTarget } from './targets.ts'

/** What an exchange is about. */
export interface ExchangeFacts {
  readonly owner: ProxyClient
  /** The lane of its cell that it says it is of. */
  readonly lane: number | undefined
  readonly client: Socket
  readonly method: string
  /** As events show it. */
  readonly url: string
  /** Where a tunnel leads; undefined for a request. */
  readonly tunnel?: EgressTarget
}

/** A request or a tunnel of a client, under way: what it carried, what it holds open, why it ended. */
export class Exchange implements OpenExchange {
  readonly facts: ExchangeFacts
  readonly #listeners: EgressListeners
  readonly #start = performance.now()
  readonly #undo: ((reason: EgressReason | undefined) => void)[] = []
  #allowed = false
  #over = false
  /** The status of the origin's response. */
  status: number | undefined
  /** Bytes sent to the origin. */
  sent = 0
  /** Bytes received from it. */
  received = 0

  constructor(facts: ExchangeFacts, listeners: EgressListeners) {
    this.facts = facts
    this.#listeners = listeners
    facts.owner.exchanges.add(this)
  }

  get over(): boolean {
    return this.#over
  }

  /** Tells that the request may go out, to this address. */
  allow(address: string): void {
    this.#allowed = true
    tell(this.#listeners.onDecision, { allowed: true, ...this.#shown(), address }, this.facts)
  }

  /** Has `undo` run at the end; at once where that has passed. The last one runs first. */
  atEnd(undo: (reason: EgressReason | undefined) => void): void {
    if (this.#over) undo(undefined)
    else this.#undo.push(undo)
  }

  /** Ends it, once: for a reason, or well. */
  end(reason?: EgressReason): void {
    if (this.#over) return
    this.#over = true
    this.facts.owner.exchanges.delete(this)
    for (const undo of this.#undo.reverse()) undo(reason)
    if (this.#allowed) this.#tellEnd(reason)
    else if (reason !== undefined) {
      tell(this.#listeners.onDecision, { allowed: false, ...this.#shown(), reason }, this.facts)
    }
  }

  #tellEnd(reason: EgressReason | undefined): void {
    const { status, sent, received } = this
    const duration = (performance.now() - this.#start) / 1000
    const end = {
      ...this.#shown(),
      ...(status !== undefined && { status }),
      sent,
      received,
      duration,
      ...(reason !== undefined && { reason }),
    }
    tell(this.#listeners.onEnd, end, this.facts)
  }

  #shown() {
    const { owner, method, url } = this.facts
    return { cell: owner.id, method, url }
  }
}
