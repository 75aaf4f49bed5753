import { randomUUID } from 'node:crypto'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { SessionLoad } from '../../http/load.ts'
import { aboutToStop, Refusal } from '../../http/refusal.ts'
import type { McpSandbox } from '../mcp-sandbox.ts'
import { notUnderstood } from '../not-understood.ts'
import type { Client } from './access.ts'
import { type ClientSandboxes, whyWithoutSandbox, withoutSandbox } from './client-sandbox.ts'
import { HttpSession, type SessionWatch } from './http-session.ts'
import { RpcRefusal } from './refusal.ts'
import { SandboxNames } from './sandbox-names.ts'

/** How sessions are made, and how many there may be. */
export interface SessionsOptions {
  readonly sandboxes: ClientSandboxes
  readonly maxSessions: number
  readonly maxSessionsPerClient: number
  /** Seconds. */
  readonly idleTimeout: number
  /** What the sessions of a client are stored under; undefined where they are not. */
  readonly ownerOf: ((client: Client) => string) | undefined
  readonly log: (line: string) => void
  /** Aborted when no session may begin any more. */
  readonly closing: AbortSignal
}

/** Who wants a session, and by which message. */
export interface SessionRequest {
  readonly client: Client
  readonly id: RequestId | undefined
  readonly load: SessionLoad
}

/** The sessions of a server by their ids. */
export class Sessions implements SessionWatch {
  readonly #options: SessionsOptions
  readonly #sessions = new Map<string, HttpSession>()
  /** Of sessions that there are and that begin: each has a place. */
  readonly #names = new SandboxNames()
  /** How many of these sessions each client has. */
  readonly #ofClients = new Map<Client, number>()
  /** What the sandboxes of these sessions are stored under. */
  readonly #stored = new SandboxNames()
  readonly #closing = new Set<Promise<void>>()

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#sessions.size
  }

  /** The sandboxes of all sessions. */
  get sandboxes(): readonly McpSandbox[] {
    return [...this.#sessions.values()].map(({ sandbox }) => sandbox)
  }

  /**
   * The session with this id. One of another client is as unknown as one that never was.
   *
   * @throws {Refusal} where this client has none
   */
  find(id: string, client: Client): HttpSession {
    const session = this.#sessions.get(id)
    if (session !== undefined && session.sandbox.client === client) return session
    throw new RpcRefusal(404, 'Session not found: it has ended, or never was. Begin a new one.', {
      code: -32_001,
    })
  }

  /** Begins a session. @throws {Refusal} where there are as many as there may be, or the client gets no sandbox */
  async begin({ client, id: message, load }: SessionRequest): Promise<HttpSession> {
    const { sandboxes, idleTimeout, ownerOf, log, closing } = this.#options
    this.#requireFree(client)
    const name = this.#names.take(client)
    this.#count(client, 1)
    const storedAs = ownerOf && this.#stored.take(ownerOf(client))
    const id = randomUUID()
    try {
      const made = await sandboxes.make({ id, client, name, storedAs }, closing)
      if (closing.aborted) throw new Error('The server closes.')
      const session = new HttpSession(made, { id, client, name, storedAs, load, idleTimeout }, this)
      this.#sessions.set(id, session)
      await session.connect()
      return session
    } catch (error) {
      this.#sessions.delete(id)
      this.#giveBack(client, name, storedAs)
      if (closing.aborted) throw aboutToStop()
      log(`No sandbox for ${name}: ${whyWithoutSandbox(error)}`)
      throw withoutSandbox(error, message)
    }
  }

  closed(session: HttpSession, idle: boolean): void {
    if (!this.#sessions.delete(session.id)) return
    this.#giveBack(session.sandbox.client, session.sandbox.name, session.storedAs)
    const closing = session.close()
    this.#closing.add(closing)
    closing.finally(() => this.#closing.delete(closing))
    if (session.begun) this.#tell(`A session ended${idle ? ', as nothing used it' : ''}`, session)
  }

  failed(error: Error): void {
    this.#options.log(notUnderstood(error))
  }

  /** Tells that a session has begun. */
  begun(session: HttpSession): void {
    this.#tell('A session began', session)
  }

  /** Ends every session; resolves when their sandboxes are closed. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()))
    await Promise.all(this.#closing)
  }

  /** @throws {Refusal} where there are as many sessions as there may be, of all clients or of this one */
  #requireFree(client: Client): void {
    const { maxSessions, maxSessionsPerClient } = this.#options
    const headers = { 'retry-after': '10' }
    if (this.#names.size >= maxSessions) {
      const problem = `All ${maxSessions} sessions of this server are in use. Try again later.`
      throw new Refusal(503, problem, { headers })
    }
    if ((this.#ofClients.get(client) ?? 0) >= maxSessionsPerClient) {
      const problem = `All ${maxSessionsPerClient} sessions of this client are in use. End one of them, or try again later.`
      throw new Refusal(429, problem, { headers })
    }
  }

  #count(client: Client, change: 1 | -1): void {
    const count = (this.#ofClients.get(client) ?? 0) + change
    if (count === 0) this.#ofClients.delete(client)
    else this.#ofClients.set(client, count)
  }

  #giveBack(client: Client, name: string, storedAs: string | undefined): void {
    this.#count(client, -1)
    this.#names.giveBack(name)
    if (storedAs !== undefined) this.#stored.giveBack(storedAs)
  }

  #tell(what: string, { sandbox }: HttpSession): void {
    this.#options.log(`${what} (${sandbox.name}): ${this.size} of ${this.#options.maxSessions} in use.`)
  }
}
