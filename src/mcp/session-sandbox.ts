import { clearTimeout, setTimeout } from '../async/clock.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { SandboxClosedError } from '../sandbox/errors.ts'

/**
 * The sandbox of one session. It opens at its first call, is closed when nothing has used it for some time or its host
 * closed it, and the next use makes a fresh one.
 */
export class SessionSandbox {
  readonly #make: () => HostedSandbox
  readonly #idleTimeout: number
  #sandbox: HostedSandbox
  #uses = 0
  #resting: (() => void)[] = []
  #idle: NodeJS.Timeout | undefined
  #replaced = false
  #closed = false
  #closing: Promise<unknown> = Promise.resolve()

  /**
   * @param make - makes a sandbox and opens nothing
   * @param idleTimeout - seconds
   */
  constructor(make: () => HostedSandbox, idleTimeout: number) {
    this.#make = make
    this.#idleTimeout = idleTimeout
    this.#sandbox = make()
  }

  /** The sandbox that there is, for what it can tell of itself. */
  get current(): HostedSandbox {
    return this.#sandbox
  }

  /** Whether something uses it. */
  get busy(): boolean {
    return this.#uses > 0
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
    if (this.#sandbox.status === 'closed') {
      this.#sandbox = this.#make()
      this.#replaced = true
    }
    clearTimeout(this.#idle)
    this.#uses += 1
    try {
      return await work(this.#sandbox)
    } finally {
      this.#uses -= 1
      if (this.#uses === 0) this.#rest()
    }
  }

  /** Resolves once nothing uses it. */
  async rest(): Promise<void> {
    if (this.busy) await new Promise<void>((resolve) => this.#resting.push(resolve))
  }

  /** Ends it for good. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idle)
    this.#end()
    await this.#closing
  }

  #rest(): void {
    if (!this.#closed) this.#idle = setTimeout(() => this.#end(), this.#idleTimeout * 1000).unref()
    for (const resolve of this.#resting.splice(0)) resolve()
  }

  #end(): void {
    this.#closing = Promise.all([this.#closing, this.#sandbox.close()])
  }
}
