import { Refusal } from './refusal.ts'

/** How much requests that are not done may hold. */
export interface LoadBounds {
  /** Requests of one session. */
  readonly maxPendingRequests: number
  /** Bytes of the bodies of all sessions. */
  readonly maxPendingBytes: number
  /** Bytes of the bodies of one session. */
  readonly maxSessionBytes: number
}

/** What the requests of all sessions hold that are not done. */
export class ServerLoad {
  readonly #bounds: LoadBounds
  #bytes = 0

  constructor(bounds: LoadBounds) {
    this.#bounds = bounds
  }

  /** What the requests of one session hold. */
  ofSession(): SessionLoad {
    return new SessionLoad(this.#bounds, (bytes) => this.#add(bytes))
  }

  #add(bytes: number): void {
    if (this.#bytes + bytes > this.#bounds.maxPendingBytes) {
      throw busy(503, 'The server has as many bytes of requests at hand as it takes. Try again later.')
    }
    this.#bytes += bytes
  }
}

/** What the requests of one session hold that are not done. */
export class SessionLoad {
  readonly #bounds: LoadBounds
  readonly #addToAll: (bytes: number) => void
  #requests = 0
  #bytes = 0

  constructor(bounds: LoadBounds, addToAll: (bytes: number) => void) {
    this.#bounds = bounds
    this.#addToAll = addToAll
  }

  /** A request begins to come. @throws {Refusal} where there are as many as there may be */
  begin(): RequestLoad {
    const load = new RequestLoad((requests, bytes) => this.#add(requests, bytes))
    load.add({ requests: 1 })
    return load
  }

  #add(requests: number, bytes: number): void {
    const { maxPendingRequests, maxSessionBytes } = this.#bounds
    if (requests > 0 && this.#requests + requests > maxPendingRequests) {
      throw busy(
        429,
        `This session has ${maxPendingRequests} requests without an answer. Wait for some of them.`,
      )
    }
    if (bytes > maxSessionBytes) {
      throw new Refusal(413, `This needs ${bytes} bytes at once, and a session may have ${maxSessionBytes}.`)
    }
    if (bytes > 0 && this.#bytes + bytes > maxSessionBytes) {
      throw busy(
        429,
        `The requests of this session without an answer have ${maxSessionBytes} bytes. Wait for some of them.`,
      )
    }
    this.#addToAll(bytes)
    this.#requests += requests
    this.#bytes += bytes
  }
}

/** What one request holds until it is done. */
export class RequestLoad {
  readonly #add: (requests: number, bytes: number) => void
  #requests = 0
  #bytes = 0

  constructor(add: (requests: number, bytes: number) => void) {
    this.#add = add
  }

  /** It holds more than it did. @throws {Refusal} where that is too much */
  add({ requests = 0, bytes = 0 }: { readonly requests?: number; readonly bytes?: number }): void {
    this.#add(requests, bytes)
    this.#requests += requests
    this.#bytes += bytes
  }

  /** It is done. Idempotent. */
  end(): void {
    this.#add(-this.#requests, -this.#bytes)
    this.#requests = 0
    this.#bytes = 0
  }
}

function busy(status: 429 | 503, message: string): Refusal {
  return new Refusal(status, message, { headers: { 'retry-after': '1' } })
}
