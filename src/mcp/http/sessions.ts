import type { McpSession } from '../create-server.ts'
import type { Owner } from './access.ts'
import { HttpSession, type SessionWatch } from './http-session.ts'
import type { SessionLoad } from './load.ts'
import { Refusal } from './refusal.ts'

/** How sessions are made, and how many there may be. */
export interface SessionsOptions {
  readonly make: () => McpSession
  readonly maxSessions: number
  /** Seconds. */
  readonly idleTimeout: number
  readonly log: (line: string) => void
}

/** The sessions of a server by their ids. */
export class Sessions implements SessionWatch {
  readonly #options: SessionsOptions
  readonly #sessions = new Map<string, HttpSession>()
  readonly #closing = new Set<Promise<void>>()

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#sessions.size
  }

  /**
   * The session with this id. One of another client is as unknown as one that never was.
   *
   * @throws {Refusal} where this client has none
   */
  find(id: string, owner: Owner): HttpSession {
    const session = this.#sessions.get(id)
    if (session?.owner === owner) return session
    throw new Refusal(404, 'Session not found: it has ended, or never was. Begin a new one.', {
      code: -32_001,
    })
  }

  /** Begins a session. @throws {Refusal} where there are as many as there may be */
  async begin(owner: Owner, load: SessionLoad): Promise<HttpSession> {
    const { make, maxSessions, idleTimeout } = this.#options
    if (this.size >= maxSessions) {
      throw new Refusal(503, `All ${maxSessions} sessions of this server are in use. Try again later.`, {
        headers: { 'retry-after': '10' },
      })
    }
    const session = new HttpSession(make(), { owner, load, idleTimeout }, this)
    this.#sessions.set(session.id, session)
    await session.connect()
    return session
  }

  closed(session: HttpSession, idle: boolean): void {
    if (!this.#sessions.delete(session.id)) return
    const closing = session.close()
    this.#closing.add(closing)
    closing.finally(() => this.#closing.delete(closing))
    if (session.begun) this.#tell(`A session ended${idle ? ', as nothing used it' : ''}`)
  }

  failed(error: Error): void {
    this.#options.log(`A message was not understood, or not sent: ${error.message.split('\n', 1).join('')}`)
  }

  /** Tells that a session has begun. */
  begun(): void {
    this.#tell('A session began')
  }

  /** Ends every session; resolves when their sandboxes are closed. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()))
    await Promise.all(this.#closing)
  }

  #tell(what: string): void {
    this.#options.log(`${what}: ${this.size} of ${this.#options.maxSessions} in use.`)
  }
}
