import { Watchdog } from '../async/watchdog.ts'
import type { ResolvedHostOptions } from './options.ts'

/** Told when the times of a host have passed for a sandbox. It may be in use by then. */
export interface LifetimeListeners {
  /** No call was made for `hibernate.after`. */
  readonly onRested: () => void
  /** No call was made for `idleTimeout`. */
  readonly onIdle: () => void
  /** It is older than `maxLifetime`, and no call is pending. */
  readonly onOver: () => void
}

/** How long a sandbox is idle, and how old it is. */
export class Lifetime {
  readonly #after: number | undefined
  readonly #idleTimeout: number | undefined
  readonly #onOver: () => void
  readonly #rest: Watchdog
  readonly #idle: Watchdog
  readonly #life: Watchdog
  #isUsed = false
  #over = false

  constructor(
    { hibernate, idleTimeout, maxLifetime }: ResolvedHostOptions,
    { onRested, onIdle, onOver }: LifetimeListeners,
  ) {
    this.#after = hibernate?.after
    this.#idleTimeout = idleTimeout
    this.#onOver = onOver
    this.#rest = new Watchdog(onRested)
    this.#idle = new Watchdog(onIdle)
    this.#life = new Watchdog(() => this.#end())
    if (maxLifetime !== undefined) this.#life.expect(maxLifetime)
  }

  /** A call is pending: that is use. */
  used(): void {
    this.#isUsed = true
    this.#rest.rest()
    this.#idle.rest()
  }

  /** No call is pending. */
  rests(): void {
    this.#isUsed = false
    if (this.#over) {
      this.#onOver()
      return
    }
    if (this.#after !== undefined) this.#rest.expect(this.#after)
    if (this.#idleTimeout !== undefined) this.#idle.expect(this.#idleTimeout)
  }

  /** The sandbox is closed. */
  stop(): void {
    this.#rest.stop()
    this.#idle.stop()
    this.#life.stop()
  }

  #end(): void {
    this.#over = true
    if (!this.#isUsed) this.#onOver()
  }
}
