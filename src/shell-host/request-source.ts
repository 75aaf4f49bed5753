import type { EngineName } from '../contract/lease.ts'
import { reading, refuse } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'
import type { OneShotRequest } from './one-shot.ts'

/** Requests, at hand or as they come. */
export type OneShotRequests<Shell extends EngineName = 'strands'> =
  | Iterable<OneShotRequest<Shell>>
  | AsyncIterable<OneShotRequest<Shell>>

/** The same, whatever a request is. */
export type Requests<Request> = Iterable<Request> | AsyncIterable<Request>

/** A request that has come. */
export interface Arrival<Request> {
  readonly request: Request
}

/** Takes requests one at a time, so that results can be taken while the next request has not come. */
export class RequestSource<Request> {
  readonly #iterator: AsyncIterator<Request> | Iterator<Request>
  #next: Promise<Arrival<Request> | undefined> | undefined
  #asking = false
  #over = false
  #failure: { readonly error: unknown } | undefined

  /** @throws SandboxConfigError where they cannot be iterated over */
  constructor(requests: Requests<Request>) {
    this.#iterator = reading('requests', () => iteratorOf(requests))
  }

  /** True once there is nothing more to take. */
  get over(): boolean {
    return this.#over
  }

  /** The next request, the same one until it is taken; undefined where there is none any more. */
  next(): Promise<Arrival<Request> | undefined> {
    this.#next ??= this.#ask()
    return this.#next
  }

  take({ request }: Arrival<Request>): Request {
    this.#next = undefined
    return request
  }

  /** @throws the error that the requests' own iteration ended with, if it did */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Takes no more; waits for the end of the iteration, unless a request is asked for that may never come. */
  async close(): Promise<void> {
    if (this.#over) return
    const closing = Promise.resolve(this.#iterator.return?.())
    if (this.#asking)
      closing.catch(() => undefined) // It may never settle, or fail after the map has ended.
    else await closing
  }

  async #ask(): Promise<Arrival<Request> | undefined> {
    this.#asking = true
    try {
      const { done, value } = await this.#iterator.next()
      if (done !== true) return { request: value }
    } catch (error) {
      this.#failure = { error }
    } finally {
      this.#asking = false
    }
    this.#over = true
    return undefined
  }
}

function iteratorOf<Request>(requests: Requests<Request>): AsyncIterator<Request> | Iterator<Request> {
  if (typeof requests === 'object' && requests !== null) {
    if (Symbol.asyncIterator in requests) return requests[Symbol.asyncIterator]()
    if (Symbol.iterator in requests) return requests[Symbol.iterator]()
  }
  throw refuse('requests', `must be an array of requests, or another iterable, but is ${kindOf(requests)}.`)
}
