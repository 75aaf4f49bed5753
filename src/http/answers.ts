import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { onceOver } from './once-over.ts'

/** Answers that have not ended. */
export class Answers {
  /** Whether each is for a call. */
  readonly #open = new Map<ServerResponse, boolean>()
  #settled: (() => void)[] = []

  /** One begins. @param over - called when its exchange is over. */
  add(request: IncomingMessage, response: ServerResponse, over: () => void = () => undefined): void {
    this.#open.set(response, request.method !== 'GET')
    onceOver(request, response, () => {
      this.#open.delete(response)
      for (const tell of this.#settled.splice(0)) tell()
      over()
    })
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

  async #until(holds: () => boolean, milliseconds: number): Promise<void> {
    const given = new AbortController()
    const late = wait(milliseconds, true, { signal: given.signal })
    while (!holds()) {
      const change = new Promise<boolean>((resolve) => this.#settled.push(() => resolve(false)))
      if (await Promise.race([change, late])) return
    }
    given.abort()
    await late.catch(() => undefined)
  }
}
