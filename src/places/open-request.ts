import { callerContext, type InCaller } from '../async/caller-context.ts'
import { performance } from '../async/clock.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import type { HostEngine } from '../engines/host-engine.ts'
import { SandboxClosedError } from '../sandbox/errors.ts'

/** One opening of a session: what to open, and one signal that fires when the opening has failed or is no longer wanted. */
export class OpenRequest {
  readonly engine: HostEngine
  /** Set before the request is given to a host. */
  record: ShellRecord
  /** In a cell: the lane that it opens, which its requests to the proxy tell. */
  lane: number | undefined
  /** Set before the request is given to places: those with different owners never share a cell. */
  owner = ''
  /** True while the request waits in the queue of its host. */
  queued = false
  readonly #start = performance.now()
  #inCaller: InCaller | undefined = callerContext()
  readonly #cancelled = new AbortController()
  #withdrawn = false

  constructor(engine: HostEngine, record: ShellRecord) {
    this.engine = engine
    this.record = record
  }

  /** Fires once; its reason is the error that the opening rejects with. */
  get signal(): AbortSignal {
    return this.#cancelled.signal
  }

  /** Milliseconds since the request was made. */
  get age(): number {
    return performance.now() - this.#start
  }

  /** Tells something in the async context of the call that the request was made for, until the opening is over. */
  inCaller(tell: () => void): void {
    if (this.#inCaller === undefined) tell()
    else this.#inCaller(tell)
  }

  /** The opening is over: the context of its call can be collected. */
  over(): void {
    this.#inCaller = undefined
  }

  /** True where the sandbox itself has withdrawn the request: the host does not report it as rejected. */
  get withdrawn(): boolean {
    return this.#withdrawn
  }

  /** Cancels the request for its sandbox, which was closed or has no caller left that waits. */
  withdraw(): void {
    if (this.signal.aborted) return
    this.#withdrawn = true
    this.cancel(new SandboxClosedError('The sandbox was closed while it opened.'))
  }

  /** Withdraws the request if it waits in the queue. False: it does not wait there, and the opening continues. */
  leaveQueue(): boolean {
    if (!this.queued) return false
    this.withdraw()
    return true
  }

  /** Ends the opening: the place where the shell is built, now or later, is retired. Only the first reason counts. */
  cancel(reason: unknown): void {
    this.#cancelled.abort(reason)
  }

  /** Calls `listener` when the signal fires, at once if it has fired. */
  onCancel(listener: () => void): void {
    if (this.signal.aborted) listener()
    else this.signal.addEventListener('abort', listener, { once: true })
  }

  /** @throws the reason of the signal, if it has fired */
  throwIfCancelled(): void {
    this.signal.throwIfAborted()
  }

  /** Rejects with the signal's reason once it fires; never resolves. */
  cancelled(): Promise<never> {
    return new Promise((_, reject) => this.onCancel(() => reject(this.signal.reason)))
  }
}
