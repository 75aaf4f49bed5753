import type { IncomingMessage } from 'node:http'
import { PROXY_STATUS } from '../contract/proxy-status.ts'

/** Headers that are about one connection, not about the message: never passed on. `expect` was answered by the server. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * The headers of a request as they go to the origin, names and values alternating. Host and framing are the
 * proxy's own, whatever the client wrote or had removed by `Connection`. A token takes the place of the client's own.
 */
export function requestHeaders(request: IncomingMessage, host: string, token?: string): string[] {
  const framing = hasChunks(request)
    ? ['Transfer-Encoding', 'chunked']
    : request.headers['content-length'] !== undefined
      ? ['Content-Length', request.headers['content-length']]
      : []
  return [
    'Host',
    host,
    ...endToEnd(
      request,
      new Set(['host', 'content-length', ...(token === undefined ? [] : ['authorization'])]),
    ),
    ...(token === undefined ? [] : ['Authorization', `Bearer ${token}`]),
    ...framing,
    'Connection',
    'close',
  ]
}

/** The headers of a response as they go to the client. What only this proxy says of itself no origin can say. */
export function responseHeaders(response: IncomingMessage): string[] {
  return endToEnd(response, new Set([PROXY_STATUS]))
}

/** Every value of a header, in order. Node 20.20's own `headersDistinct` was seen empty where there were headers. */
export function valuesOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, header: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === header)
}

/** Whether a request comes with a body. */
export function hasBody(request: IncomingMessage): boolean {
  return hasChunks(request) || Number(request.headers['content-length'] ?? 0) > 0
}

function hasChunks(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined
}

function endToEnd(message: IncomingMessage, others: ReadonlySet<string>): string[] {
  const named = new Set((message.headers.connection ?? '').toLowerCase().split(/[\s,]+/))
  const { rawHeaders } = message
  const kept: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    const key = name.toLowerCase()
    if (!HOP_BY_HOP.has(key) && !named.has(key) && !others.has(key)) kept.push(name, value)
  }
  return kept
}
