import { EventEmitter } from 'node:events'
import { queueMicrotask, setImmediate } from '../async/clock.ts'
import { outsideRequests } from '../async/outside-requests.ts'
import type { Endpoint } from '../contract/endpoint.ts'

/** Keeps the process alive while one end is referenced. */
export interface Keeper {
  ref(): void
  unref(): void
}

/**
 * Two ends of one port in one thread. What is posted to one is told to the other at once, and as it is: nothing is copied and
 * nothing is detached, so that whoever posts bytes leaves them alone. Otherwise they are as the ports of a `MessageChannel`:
 * messages wait for the first listener, and both ends are told later that one was closed. What waits for a message at the near
 * end goes on before the next is told: of those that come together, each of the others has a turn of its own.
 *
 * @param keeper - of the near end. The far end keeps no process alive. Default: neither does, and messages are told at once at both.
 */
export function joinedPorts(keeper?: Keeper): { readonly near: Endpoint; readonly far: Endpoint } {
  const near = new JoinedPort(keeper)
  const far = new JoinedPort()
  near.join(far)
  far.join(near)
  return { near, far }
}

class JoinedPort extends EventEmitter implements Endpoint {
  /** The near end has one. */
  readonly #keeper: Keeper | undefined
  #other: JoinedPort | undefined
  /** What came before the first listener. */
  #early: unknown[] | undefined = []
  #isRef = false
  /** Those that wait for their turns. */
  #waiting = 0
  /** One was told in this turn. */
  #hasTold = false

  constructor(keeper?: Keeper) {
    super()
    this.#keeper = keeper
    this.once('newListener', () => queueMicrotask(() => this.#start()))
  }

  join(other: JoinedPort): void {
    this.#other = other
  }

  postMessage(message: unknown): void {
    const other = this.#other
    if (other !== undefined) outsideRequests(() => other.#receive(message))
  }

  ref(): void {
    if (this.#isRef || this.#other === undefined) return
    this.#isRef = true
    this.#keeper?.ref()
  }

  unref(): void {
    if (!this.#isRef) return
    this.#isRef = false
    this.#keeper?.unref()
  }

  close(): void {
    const other = this.#other
    if (other === undefined) return
    this.#part()
    other.#part()
  }

  #receive(message: unknown): void {
    if (this.#early !== undefined) this.#early.push(message)
    else if (this.#keeper === undefined) this.emit('message', message)
    else this.#tell(message)
  }

  #tell(message: unknown): void {
    if (this.#hasTold || this.#waiting > 0) {
      this.#waiting += 1
      setImmediate(() => {
        this.#waiting -= 1
        this.emit('message', message)
      })
      return
    }
    this.#hasTold = true
    queueMicrotask(() => {
      this.#hasTold = false
    })
    this.emit('message', message)
  }

  /** Those who listen to it have all begun. */
  #start(): void {
    const early = this.#early ?? []
    this.#early = undefined
    for (const message of early) this.#receive(message)
  }

  #part(): void {
    this.unref()
    this.#other = undefined
    outsideRequests(() => setImmediate(() => this.emit('close')))
  }
}
