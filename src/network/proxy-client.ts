import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { readUser } from './proxy-lane.ts'
import type { EgressReason } from './reasons.ts'
import type { EgressRules } from './rules.ts'
import type { EgressTarget } from './targets.ts'

/** A request or a tunnel under way, as its client knows it. */
export interface OpenExchange {
  readonly facts: { readonly client: Socket; readonly method: string; readonly tunnel?: EgressTarget }
  end(reason?: EgressReason): void
}

/** A cell as a client of the proxy, and what it holds open there. */
export interface ProxyClient {
  readonly id: string
  readonly user: string
  readonly tokenHash: Buffer
  rules: EgressRules
  /** Connections that gave the client's token. */
  readonly sockets: Set<Socket>
  readonly exchanges: Set<OpenExchange>
}

/** A client that a request shows the credentials of, and the lane of its cell that it says it is of. */
export interface ShownClient {
  readonly client: ProxyClient
  readonly lane: number | undefined
}

const basic = /^Basic +([a-z0-9+/]+={0,2})$/i

/** The clients of a proxy, by the user name of their credentials. */
export class ProxyClients {
  readonly #clients = new Map<string, ProxyClient>()
  readonly #nobody = randomBytes(32)
  #last = 0

  /** Adds a client; gives the credentials it is to show. */
  add(
    id: string,
    rules: EgressRules,
  ): { readonly client: ProxyClient; readonly user: string; readonly token: string } {
    const user = `cell${++this.#last}`
    const token = randomBytes(32).toString('base64url')
    const client = {
      id,
      user,
      tokenHash: hash(token),
      rules,
      sockets: new Set<Socket>(),
      exchanges: new Set<OpenExchange>(),
    }
    this.#clients.set(user, client)
    return { client, user, token }
  }

  /** Ends everything of a client; its credentials are no longer accepted. */
  remove(user: string): void {
    const client = this.#clients.get(user)
    if (client === undefined) return
    this.#clients.delete(user)
    for (const exchange of [...client.exchanges]) exchange.end('REVOKED')
    for (const socket of client.sockets) socket.destroy()
  }

  removeAll(): void {
    for (const user of [...this.#clients.keys()]) this.remove(user)
  }

  /** Whose credentials these are, given every `Proxy-Authorization` header of a request. Takes the same time for a wrong user as for a wrong token. */
  find(headers: readonly string[]): ShownClient | undefined {
    const [header, ...others] = headers
    const encoded = others.length === 0 ? basic.exec(header ?? '')?.[1] : undefined
    if (encoded === undefined) return undefined
    const [, shown = '', token = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
    const { user, lane } = readUser(shown)
    const client = this.#clients.get(user)
    const isKnown = timingSafeEqual(hash(token), client?.tokenHash ?? this.#nobody)
    return isKnown && client !== undefined ? { client, lane } : undefined
  }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
