import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { sleep } from '../async/clock.ts'
import { onceOver } from './once-over.ts'

/** Requests of one connection that have no answer, at most. Node reads on, however many there are. */
const mostOfConnection = 256

/** Answers that have not ended. */
export class Answers {
  /** Whether each is for a call. */
  readonly #open = new Map<ServerResponse, boolean>()
  readonly #ofConnections = new WeakMap<Socket, number>()
  #settled: (() => void)[] = []

  /**
   * One begins. Too many of one connection break it off: what Node has read of it still comes.
   *
   * @param over - called when its exchange is over.
   * @returns whether its connection is still there to be answered
   */
  add(request: IncomingMessage, response: ServerResponse, over: () => void = () => undefined): boolean {
    const { socket } = request
    this.#open.set(response, request.method !== 'GET')
    this.#count(socket, 1)
    onceOver(request, response, () => {
      this.#count(socket, -1)
      this.#open.delete(response)
      for (const tell of this.#settled.splice(0)) tell()
      over()
    })
    return !socket.destroyed
  }

  /** Resolves when those of calls have ended, or after some milliseconds. */
  callsEnd(milliseconds: number): Promise<void> {
    return this.#until(() => ![...this.#open.values()].includes(true), milliseconds)
  }

  /** Lets them end for some milliseconds, and breaks off what has not. */
  async end(milliseconds: number): Promise<void> {
    await this.#until(() => this.#open.size === 0, milliseconds)
    for (const response of this.#open.keys()) response.destroy()
  }

  #count(socket: Socket, change: 1 | -1): void {
    const count = (this.#ofConnections.get(socket) ?? 0) + change
    this.#ofConnections.set(socket, count)
    if (count > mostOfConnection) socket.destroy()
  }

  async #until(holds: () => boolean, milliseconds: number): Promise<void> {
    const given = new AbortController()
    const late = sleep(milliseconds, true, { signal: given.signal })
    while (!holds()) {
      const change = new Promise<boolean>((resolve) => this.#settled.push(() => resolve(false)))
      if (await Promise.race([change, late])) return
    }
    given.abort()
    await late.catch(() => undefined)
  }
}
