import { clearTimeout, performance, setTimeout, sleep } from '../async/clock.ts'

/** Milliseconds in which a node gets its first lease. */
const startTime = 15_000
/** Milliseconds between attempts to get it. */
const pause = 200

/** What a lease is renewed with. */
interface LeaseParts {
  /** Milliseconds that it lasts in Redis. */
  readonly milliseconds: number
  /** Renews it in Redis. False: it had ended there, and what it stands for has to be written down again. */
  readonly renew: () => Promise<boolean>
  /** Writes down again what it stands for, once it is renewed. */
  readonly reclaim: () => Promise<void>
  /** Called when it has ended for so long that nothing may go on that began under it. */
  readonly onGone: () => void
  readonly log: (line: string) => void
}

/**
 * The lease of a node, as the node itself knows it. It counts from when the renewal was sent, by a clock that no one sets, and ends a
 * tenth earlier than in Redis: no other node can have what it stands for while {@link NodeLease.isHeld}.
 */
export class NodeLease {
  readonly #parts: LeaseParts
  /** When it ends, by the monotonic clock. */
  #until = 0
  /** Whether Redis may have let it end without our knowing. */
  #isDoubtful = true
  #isGone = true
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #waiting: (() => void)[] = []
  #renewing: Promise<void> | undefined

  constructor(parts: LeaseParts) {
    this.#parts = parts
  }

  get isHeld(): boolean {
    return performance.now() < this.#until
  }

  /** Renews it now, and from now on in time. @throws {ClusterUnavailableError} where it cannot be had in some seconds */
  async start(): Promise<void> {
    const until = performance.now() + startTime
    for (;;) {
      try {
        await this.#renew()
        break
      } catch (error) {
        if (performance.now() > until) throw error
        await sleep(pause)
      }
    }
    this.#plan()
  }

  /** Renews it now: what the node tells of itself has changed. */
  async renew(): Promise<void> {
    await this.#tryToRenew()
  }

  /** Resolves when it is held, or after some milliseconds. */
  async held(milliseconds: number): Promise<void> {
    if (this.isHeld) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  /** Renews it no more. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#tell()
  }

  #plan(): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(async () => {
      await this.#tryToRenew()
      this.#plan()
    }, this.#parts.milliseconds / 3).unref()
  }

  async #tryToRenew(): Promise<void> {
    const { milliseconds, onGone, log } = this.#parts
    try {
      await this.#renew()
    } catch (error) {
      if (!this.#isDoubtful) log(`The lease of this node was not renewed: ${String(error)}`)
      this.#isDoubtful = true
      if (this.#isGone || performance.now() < this.#until + milliseconds) return
      this.#isGone = true
      log('The lease of this node has ended: it lets go of its sessions.')
      onGone()
    }
  }

  /** One at a time. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renewOnce(): Promise<void> {
    const { milliseconds, renew, reclaim } = this.#parts
    const sent = performance.now()
    const isKept = await renew()
    if (!isKept || this.#isDoubtful) await reclaim()
    this.#isDoubtful = false
    this.#isGone = false
    this.#until = sent + milliseconds * 0.9
    this.#tell()
  }

  #tell(): void {
    for (const tell of this.#waiting.splice(0)) tell()
  }
}
