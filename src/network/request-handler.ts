import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { faultOfRequest, faultOfTunnel } from './checks.ts'
import { type EgressListeners, tell } from './events.ts'
import { Exchange } from './exchange.ts'
import { forward } from './forward.ts'
import { valuesOf } from './headers.ts'
import type { OpenExchange, ProxyClient, ProxyClients, ShownClient } from './proxy-client.ts'
import { type OriginAccess, reachOrigin } from './reach-origin.ts'
import type { EgressReason } from './reasons.ts'
import { answerRefusal, writeRefusal } from './refusal.ts'
import { readHttpTarget, readTunnelTarget } from './targets.ts'
import { tunnel } from './tunnel.ts'

/** Makes an exchange of each request to the proxy, or refuses it. */
export class RequestHandler {
  readonly #clients: ProxyClients
  readonly #access: OriginAccess
  readonly #listeners: EgressListeners
  /** Which client's token came on a connection. */
  readonly #owners = new WeakMap<Socket, ProxyClient>()
  /** Connections on which something was refused: what was sent ahead on them is not read. */
  readonly #refused = new WeakSet<Socket>()

  constructor(clients: ProxyClients, access: OriginAccess, listeners: EgressListeners) {
    this.#clients = clients
    this.#access = access
    this.#listeners = listeners
  }

  /** A request that is not `CONNECT`. */
  onRequest(request: IncomingMessage, answer: ServerResponse): void {
    const { method = '', socket: client } = request
    if (this.#refused.has(client)) return
    const target = readHttpTarget(request.url ?? '')
    const url = target?.shown ?? ''
    const shown = this.#ownerOf(request)
    if (shown === undefined) {
      this.#refused.add(client)
      this.#tellRefused(undefined, 'UNAUTHORIZED', method, url)
      answerRefusal(answer, 'UNAUTHORIZED')
      return
    }
    const { client: owner, lane } = shown
    const exchange = new Exchange({ owner, lane, client, method, url }, this.#listeners)
    exchange.atEnd((reason) => {
      if (reason === undefined) return
      this.#refused.add(client)
      if (answer.headersSent || answer.destroyed) answer.destroy()
      else answerRefusal(answer, reason)
    })
    answer.on('error', () => exchange.end('ABORTED'))
    const fault = faultOfRequest(request, target, owner.rules, this.#access.limits)
    void reachOrigin(exchange, fault, target, this.#access, (origin, to) =>
      forward(exchange, to, request, answer, origin, this.#access.limits),
    )
  }

  /** A request for a tunnel; `head` is what the client has sent after it. */
  onConnect(request: IncomingMessage, client: Socket, head: Buffer): void {
    client.on('error', () => client.destroy())
    const target = readTunnelTarget(request.url ?? '')
    const url = target === undefined ? '' : (request.url ?? '')
    const shown = this.#ownerOf(request)
    if (shown === undefined) {
      this.#tellRefused(undefined, 'UNAUTHORIZED', 'CONNECT', url)
      writeRefusal(client, 'UNAUTHORIZED')
      return
    }
    const { client: owner, lane } = shown
    if (this.#refused.has(client) || exchangesOn(client, owner).length > 0) {
      // Its bytes would run into the answer that is still due.
      this.#tellRefused(owner, 'BAD_REQUEST', 'CONNECT', url)
      client.destroy()
      return
    }
    let open = false
    const facts = {
      owner,
      lane,
      client,
      method: 'CONNECT',
      url,
      ...(target !== undefined && { tunnel: target }),
    }
    const exchange = new Exchange(facts, this.#listeners)
    exchange.atEnd((reason) => {
      if (reason === undefined) client.destroySoon()
      else if (open) client.destroy()
      else writeRefusal(client, reason)
    })
    client.on('close', () => exchange.end(open ? undefined : 'ABORTED'))
    const fault = faultOfTunnel(request, target, owner.rules)
    void reachOrigin(exchange, fault, target, this.#access, (origin) => {
      open = true
      tunnel(exchange, client, head, origin, this.#access.limits)
    })
  }

  /** The client whose token a request carries. A connection belongs to the first client that used it. */
  #ownerOf(request: IncomingMessage): ShownClient | undefined {
    const { socket } = request
    const shown = this.#clients.find(valuesOf(request, 'proxy-authorization'))
    const owner = this.#owners.get(socket) ?? shown?.client
    if (shown === undefined || shown.client !== owner || socket.destroyed) return undefined
    if (owner !== this.#owners.get(socket)) this.#own(socket, owner)
    return shown
  }

  #own(socket: Socket, owner: ProxyClient): void {
    this.#owners.set(socket, owner)
    owner.sockets.add(socket)
    socket.once('close', () => {
      owner.sockets.delete(socket)
      // An answer that waits for another one is not told that its connection closed; a tunnel tells itself.
      for (const exchange of exchangesOn(socket, owner)) {
        if (exchange.facts.method !== 'CONNECT') exchange.end('ABORTED')
      }
    })
  }

  /** What came on a connection is not HTTP, or the connection broke. */
  onFault(error: NodeJS.ErrnoException, client: Socket): void {
    const reason = reasonOf(error)
    const owner = this.#owners.get(client)
    const own = exchangesOn(client, owner)
    for (const exchange of own) exchange.end(reason ?? 'ABORTED')
    if (own.length > 0 || reason === undefined || this.#refused.has(client)) client.destroySoon()
    else {
      this.#tellRefused(owner, reason, '', '')
      writeRefusal(client, reason)
    }
  }

  #tellRefused(owner: ProxyClient | undefined, reason: EgressReason, method: string, url: string): void {
    tell(this.#listeners.onDecision, { allowed: false, cell: owner?.id, method, url, reason }, {})
  }
}

function exchangesOn(client: Socket, owner: ProxyClient | undefined): OpenExchange[] {
  return [...(owner?.exchanges ?? [])].filter(({ facts }) => facts.client === client)
}

/** Undefined for a connection that broke. */
function reasonOf({ code = '' }: NodeJS.ErrnoException): EgressReason | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'HEADERS_TIMEOUT'
  return code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE' ? 'BAD_REQUEST' : undefined
}
