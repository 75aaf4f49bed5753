import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { outsideRequests } from '../async/outside-requests.ts'
import { SandboxClosedError } from '../sandbox/errors.ts'
import { type Connect, connectByTcp, type Resolve, resolveBySystem } from './connector.ts'
import type { EgressListeners } from './events.ts'
import { EGRESS_LIMITS, type EgressLimits } from './limits.ts'
import { http } from './node-http.ts'
import { EgressPass } from './pass.ts'
import { PrivateSocket } from './private-socket.ts'
import { ProxyClients } from './proxy-client.ts'
import { RequestHandler } from './request-handler.ts'
import { type EgressPolicy, EgressRules } from './rules.ts'

/** How a proxy works. */
export interface EgressProxyOptions extends EgressListeners {
  /** @default EGRESS_LIMITS */
  readonly limits?: Partial<EgressLimits> | undefined
  /** @default the system's resolver */
  readonly resolve?: Resolve | undefined
  /** @default a TCP connection */
  readonly connect?: Connect | undefined
}

/** Milliseconds between two looks at connections whose headers take too long. */
const CHECK_INTERVAL = 1000

/**
 * A forward proxy on loopback through which cells reach the network, each under its own policy and with its own
 * token. It resolves a name once, checks every answer, and connects to a checked address. It keeps no process
 * alive, follows no redirect and caches nothing. TLS goes through unread.
 */
export class EgressProxy {
  readonly #server: Server
  readonly #clients = new ProxyClients()
  readonly #sockets = new Set<Socket>()
  readonly #mostConnections: number
  #private: Promise<PrivateSocket> | undefined
  #closing: Promise<void> | undefined

  /** Starts a proxy on a free port of 127.0.0.1. */
  static start(options: EgressProxyOptions = {}): Promise<EgressProxy> {
    return outsideRequests(async () => {
      const proxy = new EgressProxy(options)
      await proxy.#listen()
      return proxy
    })
  }

  private constructor(options: EgressProxyOptions) {
    const { resolve = resolveBySystem, connect = connectByTcp, onDecision, onEnd } = options
    const limits: EgressLimits = { ...EGRESS_LIMITS, ...options.limits }
    const { allConnections, headerBytes, connectTimeout, totalTimeout } = limits
    const handler = new RequestHandler(this.#clients, { resolve, connect, limits }, { onDecision, onEnd })
    this.#server = http.createServer({
      insecureHTTPParser: false,
      requireHostHeader: false,
      maxHeaderSize: headerBytes,
      headersTimeout: connectTimeout * 1000,
      requestTimeout: Math.max(connectTimeout, totalTimeout) * 1000,
      connectionsCheckingInterval: CHECK_INTERVAL,
    })
    this.#mostConnections = allConnections
    this.#server.maxConnections = allConnections
    this.#server
      .on('connection', (socket: Socket) => this.#hold(socket))
      .on('request', (request, answer) => handler.onRequest(request, answer))
      .on('connect', (request: IncomingMessage, client: Socket, head: Buffer) =>
        handler.onConnect(request, client, head),
      )
      .on('clientError', (error, client: Socket) => handler.onFault(error, client))
  }

  /** The port of 127.0.0.1. */
  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  /**
   * Lets a cell use the proxy. `cell` is what events call it.
   * @throws {SandboxConfigError} with the field `allow[i]`
   * @throws {SandboxClosedError}
   */
  admit(cell: string, policy: EgressPolicy): EgressPass {
    if (this.#closing !== undefined) throw new SandboxClosedError('The egress proxy is closed.')
    return new EgressPass(this.#clients, cell, new EgressRules(policy), this.port)
  }

  /**
   * Listens on a Unix socket as well, in a directory of this user's alone: for processes that have no other network. The
   * same socket at every call, until the proxy closes.
   * @returns its path
   * @throws {SandboxClosedError}
   */
  async socketPath(): Promise<string> {
    if (this.#closing !== undefined) throw new SandboxClosedError('The egress proxy is closed.')
    this.#private ??= this.#listenPrivately()
    const listening = this.#private
    try {
      return (await listening).path
    } catch (error) {
      if (this.#private === listening) this.#private = undefined
      throw error
    }
  }

  /** Ends every connection, and the servers. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#clients.removeAll()
    for (const socket of this.#sockets) socket.destroy()
    const listening = await this.#private?.catch(() => undefined) // Whoever asked for it was told.
    listening?.close()
    await closed
    for (const socket of this.#sockets) socket.destroy()
  }

  #listenPrivately(): Promise<PrivateSocket> {
    return outsideRequests(() =>
      PrivateSocket.listen((socket) => this.#server.emit('connection', socket), this.#mostConnections),
    )
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', () => {
        // What cannot be accepted fails at its client; without a listener it would end this process.
        this.#server
          .off('error', reject)
          .on('error', () => undefined)
          .unref()
        resolve()
      })
    })
  }

  #hold(socket: Socket): void {
    socket.unref()
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }
}
