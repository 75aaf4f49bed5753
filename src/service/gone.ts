import type { ServerResponse } from 'node:http'

/** Whether a client is gone before it has its answer. */
export class Gone {
  readonly #response: ServerResponse
  readonly #listeners = new Set<() => void>()
  #stop: AbortController | undefined
  #isGone = false

  constructor(response: ServerResponse) {
    this.#response = response
  }

  /** Aborted when it is. Made for who asks for it: most answers need none. */
  get signal(): AbortSignal {
    this.#stop ??= new AbortController()
    if (this.#isGone) this.#stop.abort()
    return this.#stop.signal
  }

  /** Calls `listener` when it is, at once if it is already. @returns how to stop */
  watch(listener: () => void): () => void {
    if (this.#isGone) listener()
    else this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The exchange is over. */
  over(): void {
    if (this.#response.writableFinished) return
    this.#isGone = true
    for (const listener of this.#listeners) listener()
    this.#stop?.abort()
  }
}
