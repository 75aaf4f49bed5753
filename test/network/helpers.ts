import type { LookupAddress } from 'node:dns'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  isIP,
  type Server,
  type Socket,
} from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { EgressProxy, type EgressProxyOptions } from '../../src/network/egress-proxy.ts'
import type { EgressDecision, EgressEnd } from '../../src/network/events.ts'
import type { EgressPass } from '../../src/network/pass.ts'

/** A public address that stands for the test's origin. */
export const PUBLIC = '93.184.216.34'

/** Waits until `check` passes; the deadline is a hang guard. */
export function eventually(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: 60_000, interval: 5 })
}

/** A proxy, and all that it told. */
export interface TestProxy {
  readonly proxy: EgressProxy
  readonly decisions: readonly EgressDecision[]
  readonly ends: readonly EgressEnd[]
  /** What was resolved, and `address:port` of every connection, in order. */
  readonly resolved: readonly string[]
  readonly connections: readonly string[]
}

/** What names mean in a test, and where every connection really goes. */
export interface TestNetwork extends EgressProxyOptions {
  /** Addresses by name; `[[…], […]]` gives another answer each time, the last one for ever. */
  readonly names?: Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>>
  /** The port of 127.0.0.1 that stands for every address. Default: connections go where they say. */
  readonly origin?: number
}

/** Starts a proxy in a network of its own; the test's end closes it. */
export async function startProxy({ names = {}, origin, ...options }: TestNetwork = {}): Promise<TestProxy> {
  const decisions: EgressDecision[] = []
  const ends: EgressEnd[] = []
  const resolved: string[] = []
  const connections: string[] = []
  const proxy = await EgressProxy.start({
    onDecision: (decision) => decisions.push(decision),
    onEnd: (end) => ends.push(end),
    resolve: async (hostname) => {
      resolved.push(hostname)
      const times = resolved.filter((name) => name === hostname).length
      return answer(names[hostname] ?? [], times)
    },
    connect: (addresses, port) => {
      connections.push(`${addresses.map(({ address }) => address).join(' ')}:${port}`)
      return connect({ host: '127.0.0.1', port: origin ?? port, allowHalfOpen: true })
    },
    ...options,
  })
  onTestFinished(() => proxy.close())
  return { proxy, decisions, ends, resolved, connections }
}

function answer(known: readonly string[] | readonly (readonly string[])[], times: number): LookupAddress[] {
  const chosen = known[Math.min(times, known.length) - 1]
  const addresses = typeof chosen === 'object' ? chosen : known.filter((entry) => typeof entry === 'string')
  return addresses.map((address) => ({ address, family: isIP(address) }))
}

/** An HTTP server on 127.0.0.1, and the requests that reached it, as their raw lines. */
export async function startOrigin(
  respond: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
    response.end('hello')
  },
): Promise<{
  readonly port: number
  readonly seen: readonly IncomingMessage[]
  readonly bodies: readonly string[]
}> {
  const seen: IncomingMessage[] = []
  const bodies: string[] = []
  const server = createServer(async (incoming, response) => {
    seen.push(incoming)
    incoming.setEncoding('utf8')
    incoming.on('error', () => response.destroy())
    let body = ''
    incoming.on('data', (piece) => {
      body += piece
    })
    incoming.on('end', () => bodies.push(body))
    respond(incoming, response)
  })
  onTestFinished(() => server.closeAllConnections())
  return { port: await listen(server), seen, bodies }
}

/** A TCP server on 127.0.0.1. */
export async function startTcp(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    onSocket(socket)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return listen(server)
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return port
}

/** The value of `Proxy-Authorization` that a client makes of a proxy's address. */
export function credentials(pass: Pick<EgressPass, 'url'>): string {
  const { username, password } = new URL(pass.url)
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** A response as a client saw it. */
export interface Answer {
  readonly status: number | undefined
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

/** Sends a request in absolute form through the proxy. */
export function send(
  pass: Pick<EgressPass, 'url'>,
  url: string,
  options: {
    readonly method?: string
    readonly body?: string | Buffer
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Promise<Answer> {
  const { port } = new URL(pass.url)
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      agent: false,
      path: url,
      method: options.method ?? 'GET',
      headers: { host: 'any', 'proxy-authorization': credentials(pass), ...options.headers },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const { statusCode: status, headers } = response
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        body += piece
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status, headers, body }))
    })
    outgoing.end(options.body)
  })
}

/** Sends bytes to the proxy as they are, and gives all that comes back until the connection ends. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    let answered = ''
    socket.setEncoding('latin1')
    socket.on('data', (piece) => {
      answered += piece
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(answered))
    socket.write(bytes)
  })
}

/** Asks the proxy for a tunnel: its status, and the socket. The test's end destroys it. */
export function openTunnel(
  pass: Pick<EgressPass, 'url'>,
  authority: string,
): Promise<{ readonly status: number; readonly socket: Socket }> {
  const { port } = new URL(pass.url)
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      agent: false,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, 'proxy-authorization': credentials(pass) },
    })
    outgoing.on('error', reject)
    outgoing.on('connect', (response, socket, head) => {
      if (head.length > 0) socket.unshift(head)
      socket.on('error', () => socket.destroy())
      onTestFinished(() => {
        socket.destroy()
      })
      resolve({ status: response.statusCode ?? 0, socket })
    })
    outgoing.end()
  })
}

/** All that a socket still gives, until it is closed. */
export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
    })
    socket.on('close', () => resolve(text))
  })
}
