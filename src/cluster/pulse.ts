import { clearInterval, performance, setInterval } from '../async/clock.ts'
import type { ServiceConnection } from '../remote/connection.ts'

/** Milliseconds between looks at a node. */
const lookTime = 500
/** Milliseconds without an answer before a node is asked whether it is there. */
const quietTime = 1_000

/** A call under way. */
interface Watched {
  readonly since: number
  readonly onSilent: () => void
}

/** Asks a node whether it is there while calls on it take long. One that does not answer is taken for lost. */
export class Pulse {
  readonly #connection: ServiceConnection
  readonly #silence: number
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined
  #heard = 0
  #isAsking = false

  /** @param silence - milliseconds without an answer after which the node is taken for lost. */
  constructor(connection: ServiceConnection, silence: number) {
    this.#connection = connection
    this.#silence = silence
  }

  /** Calls `onSilent` once, where the node is silent for too long. @returns how to stop */
  watch(onSilent: () => void): () => void {
    const watched = { since: performance.now(), onSilent }
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => this.#look(), lookTime).unref()
    return () => {
      this.#watched.delete(watched)
      if (this.#watched.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #look(): void {
    const now = performance.now()
    let isLong = false
    for (const watched of [...this.#watched]) {
      const quiet = now - Math.max(this.#heard, watched.since)
      if (quiet > quietTime) isLong = true
      if (quiet <= this.#silence) continue
      this.#watched.delete(watched)
      watched.onSilent()
    }
    if (isLong && !this.#isAsking) void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    try {
      const signal = AbortSignal.timeout(this.#silence / 2)
      await this.#connection.send({ method: 'GET', path: '/health', headers: {}, signal })
      this.#heard = performance.now()
    } catch {
      // It was not heard: that is what is looked at.
    } finally {
      this.#isAsking = false
    }
  }
}
