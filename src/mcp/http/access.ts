import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ResolvedHttpOptions } from './options.ts'
import { Refusal } from './refusal.ts'

/** Who sent a request: the number of its token; 0 where none is asked for. */
export type Owner = number

/** Decides which requests are let through. */
export class Access {
  readonly #hosts: ReadonlySet<string>
  readonly #origins: ReadonlySet<string>
  readonly #digests: readonly Buffer[]

  constructor({
    allowedHosts,
    allowedOrigins,
    tokens,
  }: Pick<ResolvedHttpOptions, 'allowedHosts' | 'allowedOrigins' | 'tokens'>) {
    this.#hosts = allowedHosts
    this.#origins = allowedOrigins
    this.#digests = tokens.map(digest)
  }

  /**
   * The headers that let a web page of an allowed origin read the answer; none where no page asks.
   *
   * @throws {Refusal} for a request under a name, or of a page, that is not allowed
   */
  checkSource({ headers: { host, origin } }: IncomingMessage): Readonly<Record<string, string>> {
    const name = /^(\[[0-9a-f:.]+\]|[^:/@\s]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1]
    if (name === undefined || !this.#hosts.has(name.toLowerCase())) {
      throw new Refusal(403, 'The Host of this request is not one that the server allows.')
    }
    if (origin === undefined) return {}
    if (!this.#origins.has(origin)) {
      throw new Refusal(403, 'The Origin of this request is not one that the server allows.')
    }
    return {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'mcp-session-id, www-authenticate',
      vary: 'origin',
    }
  }

  /**
   * Who sent a request. Takes as long for a token that is nearly right as for one that is not.
   *
   * @throws {Refusal} where there is no valid token, and one is asked for
   */
  checkToken({ headers: { authorization } }: IncomingMessage): Owner {
    if (this.#digests.length === 0) return 0
    const given = digest(/^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? '')
    const owner = this.#digests.map((known) => timingSafeEqual(known, given)).indexOf(true)
    if (owner >= 0) return owner
    const problem = authorization === undefined ? '' : ', error="invalid_token"'
    throw new Refusal(401, 'This server asks for a valid bearer token.', {
      headers: { 'www-authenticate': `Bearer realm="mcp"${problem}` },
    })
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
