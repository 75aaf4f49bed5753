import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { portOf } from '../../../../src/allowlist/entry.ts'
import { PROXY_STATUS, PROXY_STATUS_NAME } from '../../../../src/contract/proxy-status.ts'
import {
  brokenOff,
  notAllowed,
  notConnected,
  notPublic,
  notResolved,
  otherPath,
  RequestFailure,
  timedOut,
} from './failure.ts'
import type { UrlPolicy } from './policy.ts'
import { type Route, targetOf } from './route.ts'
import { secured, settled } from './settled-socket.ts'

/**
 * Through the proxy of the host, which has the same policy, resolves the names, and tells its host of every request. What
 * it cannot see, the paths of `https`, is judged here.
 *
 * @param proxy - its address, with the token of this process.
 */
export function proxiedRoute(policy: UrlPolicy, proxy: string, ca?: string): Route {
  const { hostname, port, username, password } = new URL(proxy)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const headers = ['Proxy-Authorization', authorization]
  const toProxy = (signal: AbortSignal) =>
    settled(connect({ host: hostname, port: Number(port) }), 'connect', signal, () =>
      notConnected('the proxy', Number(port)),
    )
  return {
    isTold: true,
    async open(url, signal) {
      const socket = await toProxy(signal)
      if (url.protocol === 'http:') return { socket, target: url.origin + targetOf(url), headers }
      if (policy.judge(url) === 'other-path') {
        socket.destroy()
        throw otherPath(url)
      }
      const tunnel = await openTunnel(socket, url, headers, signal)
      return { socket: await secured(tunnel, url, ca, signal), target: targetOf(url), headers: [] }
    },
    refusalIn: (answered, url) => {
      if (url.protocol !== 'http:') return undefined
      const status = answered.find(([name]) => name.toLowerCase() === PROXY_STATUS)?.[1]
      return status === undefined ? undefined : refusal(status, url)
    },
  }
}

function openTunnel(
  socket: Socket,
  url: URL,
  headers: readonly string[],
  signal: AbortSignal,
): Promise<Socket> {
  const authority = `${url.hostname}:${portOf(url)}`
  return new Promise((resolve, reject) => {
    const outgoing = request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: authority,
      headers: ['Host', authority, ...headers],
    })
    const onAbort = () => {
      socket.destroy()
      reject(timedOut())
    }
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    outgoing.on('error', () => reject(brokenOff()))
    outgoing.on('close', () => signal.removeEventListener('abort', onAbort))
    outgoing.on('connect', (response, tunnel: Socket, head: Buffer) => {
      signal.removeEventListener('abort', onAbort)
      if (response.statusCode === 200) {
        if (head.length > 0) tunnel.unshift(head)
        resolve(tunnel)
        return
      }
      tunnel.destroy()
      const status = response.headers[PROXY_STATUS]
      reject((typeof status === 'string' ? refusal(status, url) : undefined) ?? brokenOff())
    })
    outgoing.end()
  })
}

/** What the proxy's own word stands for, in the words that there are without a proxy. */
function refusal(status: string, url: URL): RequestFailure | undefined {
  const [name, reason = ''] = status.split('; error=')
  if (name !== PROXY_STATUS_NAME) return undefined
  switch (reason) {
    case 'NOT_ALLOWED':
    case 'NETWORK_NONE':
      return notAllowed(url)
    case 'PRIVATE_ADDRESS':
      return notPublic(url.hostname)
    case 'NAME_NOT_FOUND':
      return notResolved(url.hostname)
    case 'CONNECT_FAILED':
    case 'CONNECT_TIMEOUT':
      return notConnected(url.hostname, portOf(url))
    default:
      return new RequestFailure(56, `the proxy of this sandbox refused the request (${reason})`)
  }
}
