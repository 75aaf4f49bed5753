import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EngineName } from '../../contract/lease.ts'
import { Answers } from '../../http/answers.ts'
import { ServerLoad } from '../../http/load.ts'
import { aboutToStop, Refusal } from '../../http/refusal.ts'
import { ShellHost } from '../../shell-host/shell-host.ts'
import type { McpSandbox } from '../mcp-sandbox.ts'
import { refuseOption, requireFunction, resolveMcpOptions } from '../options.ts'
import { Access } from './access.ts'
import { ClientSandboxes } from './client-sandbox.ts'
import { Exchange } from './exchange.ts'
import { hostOptionsFor } from './host-options.ts'
import type { HttpHandlerOptions } from './options.ts'
import { RpcRefusal, sendRefusal } from './refusal.ts'
import { resolveHandlerOptions } from './resolve-options.ts'
import { Sessions } from './sessions.ts'

/** Milliseconds in which the client of a stream that was ended is expected to have taken its end. */
const flushTime = 1000

/** What serves clients over HTTP. */
export interface McpHttpSessions extends AsyncDisposable {
  /** Sessions that have not ended. */
  readonly sessions: number
  /** The sandboxes of all sessions that have not ended. */
  readonly sandboxes: readonly McpSandbox[]
  /** The sandbox with this name; undefined where no session has it. */
  sandbox(name: string): McpSandbox | undefined
  /**
   * Takes no new request, lets calls under way end for `grace` seconds (default: 0), and ends every session. Leaves no
   * answer and no sandbox. Idempotent: the first grace counts.
   */
  close(options?: { readonly grace?: number | undefined }): Promise<void>
}

/** A handler of requests, for a server of your own. */
export interface McpHttpHandler extends McpHttpSessions {
  /** Answers a request, whatever its path. Resolves when the answer has begun, and never rejects. */
  (request: IncomingMessage, response: ServerResponse): Promise<void>
}

/**
 * Makes a handler for a server that you have, such as one of `node:http` or Express: it serves each client over Streamable
 * HTTP with a session and a sandbox of its own, under whatever path it is mounted. A body that was parsed before is taken
 * from `request.body`. Connections and the time that a request may take are your server's to bound.
 *
 * @throws {SandboxConfigError} naming the option or the field of the config that is not valid; neither `token` nor
 *   `authenticate` among them
 * @throws {EngineUnavailableError} where the engine of its shell is not there
 */
export async function createHttpHandler(options: HttpHandlerOptions): Promise<McpHttpHandler> {
  const { tokens, authenticate } = resolveHandlerOptions(options)
  if (tokens.length === 0 && authenticate === undefined) {
    throw refuseOption(
      'token',
      'is needed: without one, anybody who reaches the server could run commands. Give a token, or authenticate.',
    )
  }
  const handler = await HttpHandler.make(options)
  const answer = (request: IncomingMessage, response: ServerResponse) => handler.answer(request, response)
  return withMembers(answer, {
    get sessions() {
      return handler.sessions
    },
    get sandboxes() {
      return handler.sandboxes
    },
    sandbox: (name: string) => handler.sandbox(name),
    close: (how?: { readonly grace?: number | undefined }) => handler.close(how),
    [Symbol.asyncDispose]: () => handler.close(),
  })
}

/** What a handler is made of. */
interface HandlerParts {
  readonly sessions: Sessions
  readonly exchange: Exchange
  /** Lets no session begin any more. */
  readonly stop: AbortController
  /** Its own, to close. */
  readonly host: ShellHost<EngineName> | undefined
  readonly log: (line: string) => void
}

/** Sessions, and the answers to their requests. */
export class HttpHandler implements McpHttpSessions {
  readonly #parts: HandlerParts
  readonly #answers = new Answers()
  #closing: Promise<void> | undefined

  /** As {@link createHttpHandler}; lets everybody in where the options name neither `token` nor `authenticate`. */
  static async make(options: HttpHandlerOptions): Promise<HttpHandler> {
    const resolved = resolveHandlerOptions(options)
    const { sandbox, tools, name, version, changeTools, beforeClose, log = () => undefined } = options
    const session = { tools, name, version, changeTools, idleTimeout: options.idleTimeout }
    const { idleTimeout } = resolveMcpOptions(session)
    requireFunction('beforeClose', beforeClose)
    const host = options.host ?? new ShellHost(hostOptionsFor(resolved.maxSessions))
    const owned = options.host === undefined ? host : undefined
    try {
      const sandboxes = new ClientSandboxes({
        host,
        sandbox,
        session,
        isKept: resolved.ownerOf !== undefined,
        beforeClose,
        log,
      })
      await sandboxes.check()
      const stop = new AbortController()
      const { signal: closing } = stop
      const sessions = new Sessions({ ...resolved, sandboxes, idleTimeout, log, closing })
      const access = new Access({ ...resolved, closing })
      const exchange = new Exchange(
        { access, sessions, load: new ServerLoad(resolved) },
        resolved.maxBodyBytes,
      )
      return new HttpHandler({ sessions, exchange, stop, host: owned, log })
    } catch (error) {
      await owned?.close()
      throw error
    }
  }

  private constructor(parts: HandlerParts) {
    this.#parts = parts
  }

  get sessions(): number {
    return this.#parts.sessions.size
  }

  get sandboxes(): readonly McpSandbox[] {
    return this.#parts.sessions.sandboxes
  }

  sandbox(name: string): McpSandbox | undefined {
    return this.sandboxes.find((sandbox) => sandbox.name === name)
  }

  /** Answers a request; resolves when the answer has begun. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#answers.add(request, response)) return
    try {
      if (this.#closing !== undefined) throw aboutToStop()
      await this.#parts.exchange.answer(request, response)
    } catch (error) {
      if (!(error instanceof Refusal)) this.#parts.log(`A request failed: ${String(error)}`)
      const refusal =
        error instanceof Refusal ? error : new RpcRefusal(500, 'Internal error', { code: -32_603 })
      if (response.headersSent) response.destroy()
      else sendRefusal(response, refusal)
    }
  }

  close({ grace = 0 }: { readonly grace?: number | undefined } = {}): Promise<void> {
    this.#closing ??= this.#close(grace)
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(grace: number): Promise<void> {
    const { sessions, stop, host } = this.#parts
    await this.#answers.callsEnd(grace * 1000)
    stop.abort()
    await sessions.close()
    await this.#answers.end(flushTime)
    await host?.close()
  }
}

function withMembers<Target extends object, Members extends object>(
  target: Target,
  members: Members,
): Target & Members {
  return Object.defineProperties(target, Object.getOwnPropertyDescriptors(members)) as Target & Members
}
