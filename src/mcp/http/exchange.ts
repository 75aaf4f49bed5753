import type { IncomingMessage, ServerResponse } from 'node:http'
import { isInitializeRequest } from '../sdk.ts'
import type { Access, Owner } from './access.ts'
import { readJson } from './body.ts'
import type { ServerLoad } from './load.ts'
import { Refusal } from './refusal.ts'
import type { Sessions } from './sessions.ts'

const path = '/mcp'
const methods = 'POST, GET, DELETE'

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
    const { method = '', url = '' } = request
    if (url.split('?', 1)[0] !== path)
      throw new Refusal(404, `There is nothing here: clients connect at ${path}.`)
    if (method === 'OPTIONS' && request.headers.origin !== undefined) return preflight(response)
    const owner = this.#access.checkToken(request)
    if (!methods.split(', ').includes(method)) {
      throw new Refusal(405, `The methods here are ${methods}.`, { headers: { allow: methods } })
    }
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') return this.#continue(id, owner, request, response)
    return this.#begin(owner, request, response)
  }

  async #continue(
    id: string,
    owner: Owner,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const session = this.#sessions.find(id, owner)
    if (request.method !== 'POST') return session.handle(request, response, undefined)
    const load = session.load.begin()
    let body: unknown
    try {
      body = await readJson(request, this.#maxBodyBytes, load)
      // It may have ended while the body came.
      this.#sessions.find(id, owner)
    } catch (error) {
      load.end()
      throw error
    }
    await session.handle(request, response, body, load)
  }

  async #begin(owner: Owner, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') throw new Refusal(400, 'The Mcp-Session-Id header is missing.')
    const load = this.#load.ofSession().begin()
    let body: unknown
    try {
      body = await readJson(request, this.#maxBodyBytes, load)
    } finally {
      load.end()
    }
    if (!isInitializeRequest(body)) {
      throw new Refusal(400, 'The Mcp-Session-Id header is missing, and this is no initialize request.')
    }
    const session = await this.#sessions.begin(owner, this.#load.ofSession())
    try {
      await session.handle(request, response, body)
    } finally {
      if (session.begun) this.#sessions.begun()
      else await session.close()
    }
  }
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
