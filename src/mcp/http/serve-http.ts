import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { EngineName } from '../../contract/lease.ts'
import { ShellHost } from '../../shell-host/shell-host.ts'
import { createSession } from '../create-server.ts'
import { resolveMcpOptions } from '../options.ts'
import { requireEngine } from '../require-engine.ts'
import { Access } from './access.ts'
import { Exchange } from './exchange.ts'
import { hostOptionsFor } from './host-options.ts'
import { ServerLoad } from './load.ts'
import { onceOver } from './once-over.ts'
import { inUrl, type ResolvedHttpOptions, resolveHttpOptions, type ServeHttpOptions } from './options.ts'
import { Refusal, sendRefusal } from './refusal.ts'
import { Sessions } from './sessions.ts'

/** Milliseconds in which the client of a stream that was ended is expected to have taken its end. */
const flushTime = 1000
/** How long a connection may take, in milliseconds: until the headers of its first request, and until all of a request. */
const times = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 2_000 }

/** A server that listens. */
export interface McpHttpServer extends AsyncDisposable {
  /** Where clients connect: `http://127.0.0.1:4321/mcp`. */
  readonly url: string
  /** Sessions that have not ended. */
  readonly sessions: number
  /**
   * Takes no new request, lets calls under way end for `grace` seconds (default: 0), and ends every session. Leaves no
   * socket and no sandbox. Idempotent: the first grace counts.
   */
  close(options?: { readonly grace?: number | undefined }): Promise<void>
}

/**
 * Serves many clients over Streamable HTTP, each with a session and a sandbox of its own, at the path `/mcp`.
 *
 * @throws {SandboxConfigError} naming the option or the field of the config that is not valid; an address other than
 *   loopback without a token among them
 * @throws {EngineUnavailableError} where the engine of its shell is not there
 * @throws {Error} of Node's, such as `EADDRINUSE`, where it cannot listen
 */
export async function serveHttp(options: ServeHttpOptions = {}): Promise<McpHttpServer> {
  const resolved = resolveHttpOptions(options)
  const { idleTimeout } = resolveMcpOptions(options)
  const host = options.host ?? new ShellHost(hostOptionsFor(resolved.maxSessions))
  const owned = options.host === undefined ? host : undefined
  try {
    // What is not valid in the sandbox's config is told now, and not to the first client.
    const { sandbox } = createSession(host, options)
    await sandbox.close()
    await requireEngine(sandbox.current.shell)
    const log = options.log ?? (() => undefined)
    const make = () => createSession(host, options)
    const sessions = new Sessions({ make, maxSessions: resolved.maxSessions, idleTimeout, log })
    const load = new ServerLoad(resolved)
    const exchange = new Exchange({ access: new Access(resolved), sessions, load }, resolved.maxBodyBytes)
    return await listen(new HttpServer(sessions, owned), exchange, { ...resolved, log })
  } catch (error) {
    await owned?.close()
    throw error
  }
}

async function listen(
  running: HttpServer,
  exchange: Exchange,
  { port, hostname, maxConnections, log }: ResolvedHttpOptions & { readonly log: (line: string) => void },
): Promise<McpHttpServer> {
  const { server } = running
  server.maxConnections = maxConnections
  server.on('request', (request, response) => running.track(request, response, exchange, log))
  server.listen(port, hostname)
  await once(server, 'listening')
  running.url = urlOf(server, hostname)
  return running
}

class HttpServer implements McpHttpServer {
  url = ''
  readonly server = createServer(times)
  readonly #sessions: Sessions
  /** Its own, to close. */
  readonly #host: ShellHost<EngineName> | undefined
  /** Answers that have not ended, and whether each is for a call. */
  readonly #answers = new Map<ServerResponse, boolean>()
  #settled: (() => void)[] = []
  #closing: Promise<void> | undefined

  constructor(sessions: Sessions, host: ShellHost<EngineName> | undefined) {
    this.#sessions = sessions
    this.#host = host
  }

  get sessions(): number {
    return this.#sessions.size
  }

  /** Answers a request. */
  async track(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    log: (line: string) => void,
  ): Promise<void> {
    this.#answers.set(response, request.method === 'POST')
    onceOver(request, response, () => {
      this.#answers.delete(response)
      for (const tell of this.#settled.splice(0)) tell()
    })
    try {
      if (this.#closing !== undefined) throw new Refusal(503, 'The server is about to stop.')
      await exchange.answer(request, response)
    } catch (error) {
      if (!(error instanceof Refusal)) log(`A request failed: ${String(error)}`)
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
    const closed = once(this.server, 'close')
    this.server.close()
    await this.#until(() => ![...this.#answers.values()].includes(true), grace * 1000)
    await this.#sessions.close()
    await this.#until(() => this.#answers.size === 0, flushTime)
    this.server.closeAllConnections()
    await closed
    await this.#host?.close()
  }

  /** Waits for a condition on the answers, for some milliseconds. */
  async #until(holds: () => boolean, milliseconds: number): Promise<void> {
    const given = new AbortController()
    const late = wait(milliseconds, true, { signal: given.signal })
    while (!holds()) {
      const change = new Promise<boolean>((resolve) => this.#settled.push(() => resolve(false)))
      if (await Promise.race([change, late])) return
    }
    given.abort()
    await late.catch(() => undefined)
  }
}

function urlOf(server: Server, hostname: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${inUrl(hostname)}:${port}/mcp`
}
