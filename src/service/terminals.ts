import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocketServer } from 'ws'
import { http } from '../network/node-http.ts'
import { TERMINAL_PROTOCOL } from '../protocol/terminal-schemas.ts'
import { requirePeer } from '../tools/require-peer.ts'
import type { Answering } from './answering.ts'
import type { Executions } from './executions.ts'
import { requireScope } from './principals.ts'
import type { Sandboxes } from './sandboxes.ts'
import { internalProblem, problemFor, ServiceProblem } from './service-problem.ts'
import { Terminal } from './terminal.ts'

/** Bytes of one message of a client. */
const maxPayload = 1024 * 1024

/** What terminals are opened with. */
interface TerminalsParts {
  readonly answering: Answering
  readonly sandboxes: Sandboxes
  readonly executions: Executions
  readonly isClosing: () => boolean
  readonly log: (line: string) => void
}

/** The web sockets of a service: /v1/sandboxes/{id}/terminal. */
export class Terminals {
  readonly #parts: TerminalsParts
  /** Those that asked for a terminal, whatever became of it. */
  readonly #sockets = new Set<Duplex>()
  #server: Promise<WebSocketServer> | undefined

  constructor(parts: TerminalsParts) {
    this.#parts = parts
  }

  /** Answers a request for a web socket. Never rejects. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
    const { answering, sandboxes, executions, isClosing, log } = this.#parts
    try {
      const principal = await answering.identify(request)
      requireScope(principal, 'read')
      if (isClosing()) throw new ServiceProblem('UNAVAILABLE', 'The service is about to stop.')
      const id = sandboxes.keyOf(principal, idOf(request))
      const server = await this.#serverOfSockets()
      await sandboxes.get(principal, id)
      const load = principal.load.begin()
      socket.on('close', () => load.end())
      if (socket.destroyed) load.end()
      server.handleUpgrade(request, socket, head, (opened) => {
        new Terminal({ socket: opened, principal, id, sandboxes, executions, log })
      })
    } catch (error) {
      const known = problemFor(error)
      if (known === undefined) log(`A web socket failed: ${String(error)}`)
      refuse(socket, known?.problem ?? internalProblem())
    }
  }

  /** Ends every terminal, and those that are just being opened. */
  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #serverOfSockets(): Promise<WebSocketServer> {
    this.#server ??= requirePeer('ws', () => import('ws')).then(
      (ws) =>
        new ws.WebSocketServer({
          noServer: true,
          maxPayload,
          handleProtocols: (offered) => (offered.has(TERMINAL_PROTOCOL) ? TERMINAL_PROTOCOL : false),
        }),
    )
    return this.#server
  }
}

function idOf({ url = '' }: IncomingMessage): string {
  const [, id = ''] = /^\/v1\/sandboxes\/([^/?]+)\/terminal(?:\?|$)/.exec(url) ?? []
  try {
    if (id !== '') return decodeURIComponent(id)
  } catch {
    // It is no text.
  }
  throw new ServiceProblem('NOT_FOUND', 'Web sockets are at /v1/sandboxes/{id}/terminal.')
}

function refuse(socket: Duplex, problem: { readonly status: number }): void {
  const body = JSON.stringify(problem)
  // A client that does not end its side would keep the connection.
  socket.once('finish', () => socket.destroy())
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${http.STATUS_CODES[problem.status] ?? ''}`,
      'content-type: application/problem+json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
