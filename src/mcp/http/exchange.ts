import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { ServerLoad } from '../../http/load.ts'
import { Refusal } from '../../http/refusal.ts'
import { isInitializeRequest } from '../sdk.ts'
import type { Access, Client } from './access.ts'
import { readJson } from './body.ts'
import type { Sessions } from './sessions.ts'

const methods = 'POST, GET, DELETE'

/** Bytes of the request that begins a session, at most: the session keeps what a client says of itself. */
const mostOfBegin = 256 * 1024

/** What an exchange needs of its server. */
interface ExchangeParts {
  readonly access: Access
  readonly sessions: Sessions
  readonly load: ServerLoad
}

/** One request and its answer: who may ask, which session it is for, and what that says. */
export class Exchange {
  readonly #access: Access
  readonly #sessions: Sessions
  readonly #load: ServerLoad
  readonly #maxBodyBytes: number

  /** @param maxBodyBytes - of one request */
  constructor({ access, sessions, load }: ExchangeParts, maxBodyBytes: number) {
    this.#access = access
    this.#sessions = sessions
    this.#load = load
    this.#maxBodyBytes = maxBodyBytes
  }

  /** Resolves when the answer has begun. @throws {Refusal} for a request that is not let through */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const forPages = this.#access.checkSource(request)
    for (const [name, value] of Object.entries(forPages)) response.setHeader(name, value)
    const { method = '' } = request
    if (method === 'OPTIONS' && request.headers.origin !== undefined) return preflight(response)
    const client = await this.#access.identify(request)
    if (!methods.split(', ').includes(method)) {
      throw new Refusal(405, `The methods here are ${methods}.`, { headers: { allow: methods } })
    }
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') return this.#continue(id, client, request, response)
    return this.#begin(client, request, response)
  }

  async #continue(
    id: string,
    client: Client,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const session = this.#sessions.find(id, client)
    if (request.method !== 'POST') return session.handle(request, response, undefined)
    const load = session.load.begin()
    let body: unknown
    try {
      body = await readJson(request, this.#maxBodyBytes, load)
      // It may have ended while the body came.
      this.#sessions.find(id, client)
    } catch (error) {
      load.end()
      throw error
    }
    await session.handle(request, response, body, load)
  }

  async #begin(client: Client, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') throw new Refusal(400, 'The Mcp-Session-Id header is missing.')
    const load = this.#load.ofSession().begin()
    let body: unknown
    try {
      body = await readJson(request, Math.min(mostOfBegin, this.#maxBodyBytes), load)
    } finally {
      load.end()
    }
    if (!isInitializeRequest(body)) {
      throw new Refusal(400, 'The Mcp-Session-Id header is missing, and this is no initialize request.')
    }
    const id = 'id' in body ? body.id : undefined
    const session = await this.#sessions.begin({ client, id: requestId(id), load: this.#load.ofSession() })
    try {
      if (!request.socket.destroyed) await session.handle(request, response, body)
    } finally {
      if (session.begun) this.#sessions.begun(session)
      else await session.close()
    }
  }
}

function requestId(id: unknown): RequestId | undefined {
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

function preflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': methods,
    'access-control-allow-headers':
      'authorization, content-type, accept, mcp-session-id, mcp-protocol-version, last-event-id',
    'access-control-max-age': '600',
  })
  response.end()
}
