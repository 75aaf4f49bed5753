import { once } from 'node:events'
import type { Server } from 'node:http'
import { Refusal } from '../../http/refusal.ts'
import { inUrl } from '../../http/source.ts'
import { http } from '../../network/node-http.ts'
import type { McpSandbox } from '../mcp-sandbox.ts'
import { HttpHandler, type McpHttpSessions } from './handler.ts'
import type { ServeHttpOptions } from './options.ts'
import { sendRefusal } from './refusal.ts'
import { type ListenOptions, splitServeOptions } from './resolve-options.ts'

const path = '/mcp'
/** How long a connection may take, in milliseconds: until the headers of its first request, and until all of a request. */
const times = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 2_000 }

/** A server that listens. Closing it leaves no socket. */
export interface McpHttpServer extends McpHttpSessions {
  /** Where clients connect: `http://127.0.0.1:4321/mcp`. */
  readonly url: string
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
  const { handler: handlerOptions, listen } = splitServeOptions(options)
  const handler = await HttpHandler.make(handlerOptions)
  try {
    const server = http.createServer(times)
    return new HttpServer(server, handler, await listenOn(server, handler, listen))
  } catch (error) {
    await handler.close()
    throw error
  }
}

async function listenOn(
  server: Server,
  handler: HttpHandler,
  { port, hostname, maxConnections }: ListenOptions,
): Promise<string> {
  server.maxConnections = maxConnections
  server.on('request', (request, response) => {
    if (request.url?.split('?', 1)[0] === path) void handler.answer(request, response)
    else sendRefusal(response, new Refusal(404, `There is nothing here: clients connect at ${path}.`))
  })
  server.listen(port, hostname)
  await once(server, 'listening')
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${inUrl(hostname)}:${taken}${path}`
}

class HttpServer implements McpHttpServer {
  readonly url: string
  readonly #server: Server
  readonly #handler: HttpHandler
  #closing: Promise<void> | undefined

  constructor(server: Server, handler: HttpHandler, url: string) {
    this.#server = server
    this.#handler = handler
    this.url = url
  }

  get sessions(): number {
    return this.#handler.sessions
  }

  get sandboxes(): readonly McpSandbox[] {
    return this.#handler.sandboxes
  }

  sandbox(name: string): McpSandbox | undefined {
    return this.#handler.sandbox(name)
  }

  close(options?: { readonly grace?: number | undefined }): Promise<void> {
    this.#closing ??= this.#close(options)
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(options?: { readonly grace?: number | undefined }): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    await this.#handler.close(options)
    this.#server.closeAllConnections()
    await closed
  }
}
