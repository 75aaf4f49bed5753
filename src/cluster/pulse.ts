import { clearInterval, performance, setInterval } from '../async/clock.ts'
import type { ServiceConnection } from '../remote/connection.ts'

/** Milliseconds between looks at a node. */
const lookTime = 500
/** Milliseconds between two looks that count at most: in more of them this process has stood still itself, and has read no answers. */
const mostCounted = 2 * lookTime
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
  /** Milliseconds that were counted up to the last look. */
  #counted = 0
  #lookedAt = performance.now()
  /** What was counted when the node was heard last. */
  #heard = 0
  #isAsking = false

  /** @param silence - milliseconds without an answer after which the node is taken for lost. */
  constructor(connection: ServiceConnection, silence: number) {
    this.#connection = connection
    this.#silence = silence
  }

  /** Calls `onSilent` once, where the node is silent for too long. @returns how to stop */
  watch(onSilent: () => void): () => void {
    if (this.#timer === undefined) this.#count()
    const watched = { since: this.#now, onSilent }
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => this.#look(), lookTime).unref()
    return () => {
      this.#watched.delete(watched)
      if (this.#watched.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  /** The node has answered something. */
  heard(): void {
    this.#heard = this.#now
  }

  get #now(): number {
    return this.#counted + Math.min(mostCounted, performance.now() - this.#lookedAt)
  }

  #count(): number {
    this.#counted = this.#now
    this.#lookedAt = performance.now()
    return this.#counted
  }

  #look(): void {
    const now = this.#count()
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
      this.heard()
    } catch {
      // It was not heard: that is what is looked at.
    } finally {
      this.#isAsking = false
    }
  }
}
