import { clearTimeout, setTimeout } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { SandboxClosedError } from '../sandbox/errors.ts'

/** Seconds that calls of a kept sandbox have to end, and its session to be stored. */
const storeTime = 10

/** How a sandbox is kept from session to session. */
export interface KeptSandbox {
  /** The sandbox, with what its host has stored of it. */
  open(): Promise<HostedSandbox>
  /** It could not be stored. */
  failed(error: unknown): void
}

/** How a sandbox ends. */
export interface SessionSandboxOptions {
  /** Seconds. */
  readonly idleTimeout: number
  /** Is awaited before a sandbox that is open is closed. Never rejects. */
  readonly beforeClose?: ((sandbox: HostedSandbox) => Promise<void>) | undefined
  /** Undefined where the sandbox is closed with its session. */
  readonly kept?: KeptSandbox | undefined
}

/**
 * The sandbox of one session. One that is kept is stored where others are closed, and the next use goes on with it. Any other opens at its first call, is closed when nothing has used it for some time or its host
 * closed it, and the next use makes a fresh one.
 */
export class SessionSandbox {
  readonly #make: () => HostedSandbox
  readonly #idleTimeout: number
  readonly #beforeClose: ((sandbox: HostedSandbox) => Promise<void>) | undefined
  readonly #kept: KeptSandbox | undefined
  /** Whether the sandbox is that of `kept`. */
  #isKept = false
  #sandbox: HostedSandbox
  /** Whether the sandbox is closed, or about to be. */
  #ended = false
  #uses = 0
  /** Pieces of work that are not its client's: they do not keep it from being idle. */
  #visits = 0
  #resting: (() => void)[] = []
  #idle: NodeJS.Timeout | undefined
  #overdue = false
  #replaced = false
  #closed = false
  readonly #stop = new AbortController()
  #closing: Promise<unknown> = Promise.resolve()

  /**
   * @param make - makes a sandbox and opens nothing
   */
  constructor(make: () => HostedSandbox, { idleTimeout, beforeClose, kept }: SessionSandboxOptions) {
    this.#make = make
    this.#idleTimeout = idleTimeout
    this.#beforeClose = beforeClose
    this.#kept = kept
    this.#sandbox = make()
  }

  /** The sandbox that there is, for what it can tell of itself. */
  get current(): HostedSandbox {
    return this.#sandbox
  }

  /** Whether something uses it. */
  get busy(): boolean {
    return this.#uses + this.#visits > 0
  }

  /** Whether a fresh sandbox stands in for one that was closed, which the client has to be told. True once for each. */
  takeReplaced(): boolean {
    const replaced = this.#replaced
    this.#replaced = false
    return replaced
  }

  /** Does a piece of work; the sandbox is not idle until it has settled. @throws {SandboxClosedError} once closed */
  async use<T>(work: (sandbox: HostedSandbox) => Promise<T>): Promise<T> {
    if (this.#closed) throw new SandboxClosedError('The session is closed, and its sandbox with it.')
    if (this.#isGone) {
      this.#sandbox = this.#make()
      this.#ended = false
      this.#replaced = true
    }
    clearTimeout(this.#idle)
    this.#overdue = false
    this.#uses += 1
    try {
      return await work(this.#kept === undefined ? this.#sandbox : await this.#awake(this.#kept))
    } finally {
      this.#uses -= 1
      if (this.#uses === 0) this.#rest()
    }
  }

  /**
   * Does a piece of work of somebody else than its client: it makes no fresh sandbox, and the idle time goes on. The
   * sandbox is not closed for idleness until it has settled.
   *
   * @throws {SandboxClosedError} where there is no sandbox any more
   */
  async visit<T>(work: (sandbox: HostedSandbox) => Promise<T>): Promise<T> {
    if (this.#closed) throw new SandboxClosedError('The session is closed, and its sandbox with it.')
    if (this.#isGone) {
      throw new SandboxClosedError(
        'The sandbox was closed while nothing used it. What it had not written is gone.',
      )
    }
    this.#visits += 1
    try {
      return await work(this.#kept === undefined ? this.#sandbox : await this.#awake(this.#kept))
    } finally {
      this.#visits -= 1
      if (this.#overdue) this.#endIdleness()
    }
  }

  /** Aborted when the calls of its client are to end, so that they are answered before the session ends. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  /** Ends the calls of its client. */
  stop(): void {
    this.#stop.abort()
  }

  /** Resolves once its client has no call under way. */
  async rest(): Promise<void> {
    if (this.#uses > 0) await new Promise<void>((resolve) => this.#resting.push(resolve))
  }

  /** Ends it for good. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idle)
    this.#end()
    await this.#closing
  }

  get #isGone(): boolean {
    return this.#kept === undefined && (this.#ended || this.#sandbox.status === 'closed')
  }

  async #awake(kept: KeptSandbox): Promise<HostedSandbox> {
    if (!this.#isKept || this.#sandbox.status === 'closed') this.#sandbox = await kept.open()
    this.#isKept = true
    return this.#sandbox
  }

  #rest(): void {
    if (!this.#closed) this.#idle = setTimeout(() => this.#endIdleness(), this.#idleTimeout * 1000).unref()
    for (const resolve of this.#resting.splice(0)) resolve()
  }

  #endIdleness(): void {
    this.#overdue = this.#visits > 0
    if (!this.#overdue) this.#end()
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = this.#kept === undefined
    this.#closing = Promise.all([this.#closing, this.#finish(this.#sandbox)])
  }

  async #finish(sandbox: HostedSandbox): Promise<void> {
    if (sandbox.status === 'open') await this.#beforeClose?.(sandbox)
    if (this.#isKept) await this.#store(sandbox)
    else await sandbox.close()
  }

  async #store(sandbox: HostedSandbox): Promise<void> {
    const late = () => new Error(`Its calls have not ended within ${storeTime} s.`)
    try {
      await interruptible(sandbox.hibernate(), { seconds: storeTime, onTimeout: late })
    } catch (error) {
      this.#kept?.failed(error)
    }
  }
}
