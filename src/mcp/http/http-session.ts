import type { IncomingMessage, ServerResponse } from 'node:http'
import { clearTimeout, nextTurn, setTimeout } from '../../async/clock.ts'
import type { RequestLoad, SessionLoad } from '../../http/load.ts'
import { onceOver } from '../../http/once-over.ts'
import type { McpSession } from '../create-server.ts'
import { type McpSandbox, NamedSandbox } from '../mcp-sandbox.ts'
import { CancelledNotificationSchema, StreamableHTTPServerTransport } from '../sdk.ts'
import type { Client } from './access.ts'

/** What a session tells who holds it. */
export interface SessionWatch {
  closed(session: HttpSession, idle: boolean): void
  failed(error: Error): void
}

/** What a session is made with. */
export interface HttpSessionOptions {
  readonly id: string
  readonly client: Client
  /** Of its sandbox. */
  readonly name: string
  /** What its sandbox is stored under; undefined where it is not. */
  readonly storedAs: string | undefined
  readonly load: SessionLoad
  /** Seconds. */
  readonly idleTimeout: number
}

/** One client's session: it ends when the client says so, or when none of its requests is open for some time. */
export class HttpSession {
  readonly id: string
  readonly sandbox: McpSandbox
  readonly storedAs: string | undefined
  /** What its requests hold. */
  readonly load: SessionLoad
  readonly #session: McpSession
  readonly #watch: SessionWatch
  readonly #idleTimeout: number
  readonly #transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => this.id })
  readonly #exchanges = new Set<ServerResponse>()
  #idle: NodeJS.Timeout | undefined
  #isIdle = false
  #closed = false

  constructor(
    session: McpSession,
    { id, client, name, storedAs, load, idleTimeout }: HttpSessionOptions,
    watch: SessionWatch,
  ) {
    this.#session = session
    this.id = id
    this.sandbox = new NamedSandbox(name, client, session.sandbox)
    this.storedAs = storedAs
    this.load = load
    this.#idleTimeout = idleTimeout
    this.#watch = watch
  }

  /** Whether its client has introduced itself. */
  get begun(): boolean {
    return this.#transport.sessionId !== undefined
  }

  async connect(): Promise<void> {
    this.#transport.onclose = () => {
      this.#closed = true
      clearTimeout(this.#idle)
      this.#watch.closed(this, this.#isIdle)
    }
    this.#session.server.server.onerror = (error) => this.#watch.failed(error)
    await this.#session.server.connect(this.#transport)
  }

  /** Answers a request; resolves when the answer has begun. @param load - what it holds, which is ended here */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
    load?: RequestLoad,
  ): Promise<void> {
    clearTimeout(this.#idle)
    this.#exchanges.add(response)
    onceOver(request, response, () => {
      this.#exchanges.delete(response)
      if (load !== undefined) void this.#endLoad(load, response)
      if (this.#exchanges.size === 0) this.#startIdling()
    })
    await this.#transport.handleRequest(request, response, body)
    const cancelled = CancelledNotificationSchema.safeParse(body).data?.params.requestId
    // What is cancelled is never answered: without this its response would stay open.
    if (cancelled !== undefined) this.#transport.closeSSEStream(cancelled)
  }

  /** Aborts the calls under way, whose clients are told, and closes the sandbox. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idle)
    this.#session.sandbox.stop()
    // The answers are written by then.
    await nextTurn()
    await this.#session.server.close()
    await this.#session.sandbox.close()
  }

  /** Its calls go on where its client went away before the answer. */
  async #endLoad(load: RequestLoad, { writableFinished }: ServerResponse): Promise<void> {
    if (!writableFinished) {
      await nextTurn()
      await this.#session.sandbox.rest()
    }
    load.end()
  }

  #startIdling(): void {
    if (this.#closed) return
    this.#idle = setTimeout(() => this.#endIdleness(), this.#idleTimeout * 1000).unref()
  }

  /** A call may outlast the request it came with, where its client went away. */
  #endIdleness(): void {
    if (this.#session.sandbox.busy) {
      this.#startIdling()
      return
    }
    this.#isIdle = true
    this.close()
  }
}
