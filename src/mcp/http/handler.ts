import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EngineName } from '../../contract/lease.ts'
import { ShellHost } from '../../shell-host/shell-host.ts'
import type { McpSandbox } from '../mcp-sandbox.ts'
import { refuseOption, resolveMcpOptions } from '../options.ts'
import { Access } from './access.ts'
import { Answers } from './answers.ts'
import { ClientSandboxes } from './client-sandbox.ts'
import { Exchange } from './exchange.ts'
import { hostOptionsFor } from './host-options.ts'
import { ServerLoad } from './load.ts'
import type { HttpHandlerOptions } from './options.ts'
import { Refusal, sendRefusal } from './refusal.ts'
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

/** Sessions, and the answers to their requests. */
export class HttpHandler implements McpHttpSessions {
  readonly #sessions: Sessions
  readonly #exchange: Exchange
  /** Its own, to close. */
  readonly #host: ShellHost<EngineName> | undefined
  readonly #log: (line: string) => void
  readonly #answers = new Answers()
  #closing: Promise<void> | undefined

  /** As {@link createHttpHandler}; lets everybody in where the options name neither `token` nor `authenticate`. */
  static async make(options: HttpHandlerOptions): Promise<HttpHandler> {
    const resolved = resolveHandlerOptions(options)
    const { sandbox, tools, name, version, idleTimeout: given, changeTools } = options
    const ofSession = { tools, name, version, idleTimeout: given, changeTools }
    const { idleTimeout } = resolveMcpOptions(ofSession)
    const host = options.host ?? new ShellHost(hostOptionsFor(resolved.maxSessions))
    const owned = options.host === undefined ? host : undefined
    try {
      const sandboxes = new ClientSandboxes(host, sandbox, ofSession)
      await sandboxes.check()
      const log = options.log ?? (() => undefined)
      const sessions = new Sessions({ sandboxes, maxSessions: resolved.maxSessions, idleTimeout, log })
      const parts = { access: new Access(resolved), sessions, load: new ServerLoad(resolved) }
      return new HttpHandler(sessions, new Exchange(parts, resolved.maxBodyBytes), { host: owned, log })
    } catch (error) {
      await owned?.close()
      throw error
    }
  }

  private constructor(
    sessions: Sessions,
    exchange: Exchange,
    { host, log }: { readonly host: ShellHost<EngineName> | undefined; readonly log: (line: string) => void },
  ) {
    this.#sessions = sessions
    this.#exchange = exchange
    this.#host = host
    this.#log = log
  }

  get sessions(): number {
    return this.#sessions.size
  }

  get sandboxes(): readonly McpSandbox[] {
    return this.#sessions.sandboxes
  }

  sandbox(name: string): McpSandbox | undefined {
    return this.sandboxes.find((sandbox) => sandbox.name === name)
  }

  /** Answers a request; resolves when the answer has begun. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#answers.add(request, response)
    try {
      if (this.#closing !== undefined) throw new Refusal(503, 'The server is about to stop.')
      await this.#exchange.answer(request, response)
    } catch (error) {
      if (!(error instanceof Refusal)) this.#log(`A request failed: ${String(error)}`)
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'Internal error', { code: -32_603 })
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
    await this.#answers.callsEnd(grace * 1000)
    await this.#sessions.close()
    await this.#answers.end(flushTime)
    await this.#host?.close()
  }
}

function withMembers<Target extends object, Members extends object>(
  target: Target,
  members: Members,
): Target & Members {
  return Object.defineProperties(target, Object.getOwnPropertyDescriptors(members)) as Target & Members
}
