import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { carry } from './carry.ts'
import type { Exchange } from './exchange.ts'
import { hasBody, requestHeaders, responseHeaders } from './headers.ts'
import type { EgressLimits } from './limits.ts'
import { http } from './node-http.ts'
import type { HttpTarget } from './targets.ts'

/** Sends a request to its origin over a connected socket, and the origin's response to the client. */
export function forward(
  exchange: Exchange,
  target: HttpTarget,
  incoming: IncomingMessage,
  answer: ServerResponse,
  origin: Socket,
  limits: EgressLimits,
): void {
  const outgoing = http.request({
    createConnection: () => origin,
    method: incoming.method,
    path: target.path,
    headers: requestHeaders(incoming, target.host, exchange.facts.owner.rules.tokenFor(target)),
    insecureHTTPParser: false,
    maxHeaderSize: limits.headerBytes,
  })
  exchange.atEnd(() => outgoing.destroy())
  outgoing.on('error', () => exchange.end('ORIGIN_FAILED'))
  // Closed without an error where the origin switched protocols.
  outgoing.on('close', () => {
    if (exchange.status === undefined) exchange.end('ORIGIN_FAILED')
  })
  outgoing.on('response', (response) => pass(exchange, response, incoming, answer, limits))
  send(exchange, incoming, outgoing, limits)
}

function send(
  exchange: Exchange,
  incoming: IncomingMessage,
  outgoing: ClientRequest,
  limits: EgressLimits,
): void {
  if (!hasBody(incoming)) {
    outgoing.end()
    return
  }
  carry(incoming, outgoing, (bytes) => {
    if (exchange.over) return false
    exchange.sent += bytes
    if (exchange.sent > limits.requestBytes) exchange.end('REQUEST_TOO_LARGE')
    return !exchange.over
  })
}

function pass(
  exchange: Exchange,
  response: IncomingMessage,
  incoming: IncomingMessage,
  answer: ServerResponse,
  limits: EgressLimits,
): void {
  response.on('error', () => exchange.end('ORIGIN_FAILED'))
  if (exchange.over) return
  if (Number(response.headers['content-length'] ?? 0) > limits.responseBytes && incoming.method !== 'HEAD') {
    exchange.end('RESPONSE_TOO_LARGE')
    return
  }
  exchange.status = response.statusCode
  try {
    const close = incoming.complete ? [] : ['Connection', 'close']
    const headers = [...responseHeaders(response), ...close]
    answer.writeHead(response.statusCode ?? 0, response.statusMessage, headers)
  } catch {
    // A status or a header that HTTP does not know.
    exchange.end('ORIGIN_FAILED')
    return
  }
  answer.on('finish', () => exchange.end())
  carry(response, answer, (bytes) => {
    if (exchange.over) return false
    exchange.received += bytes
    if (exchange.received > limits.responseBytes) exchange.end('RESPONSE_TOO_LARGE')
    return !exchange.over
  })
}
