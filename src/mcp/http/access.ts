import type { IncomingMessage } from 'node:http'
import { interruptible } from '../../async/interruptible.ts'
import { aboutToStop, Refusal } from '../../http/refusal.ts'
import { checkSource } from '../../http/source.ts'
import { bearerOf, findToken, isClientName } from '../../http/tokens.ts'
import type { ResolvedHandlerOptions } from './resolve-options.ts'

/** Who sent a request: the client's name; undefined where clients have none. */
export type Client = string | undefined

/** Seconds that a function of the caller has to say who sent a request. */
const authenticationTime = 20

interface AccessOptions
  extends Pick<ResolvedHandlerOptions, 'allowedHosts' | 'allowedOrigins' | 'tokens' | 'authenticate'> {
  /** Gives up asking who sent a request. */
  readonly closing: AbortSignal
}

/** Decides which requests are let through. */
export class Access {
  readonly #options: AccessOptions

  constructor(options: AccessOptions) {
    this.#options = options
  }

  /**
   * The headers that let a web page of an allowed origin read the answer; none where no page asks.
   *
   * @throws {Refusal} for a request under a name, or of a page, that is not allowed
   */
  checkSource(request: IncomingMessage): Readonly<Record<string, string>> {
    const origin = checkSource(request, this.#options)
    if (origin === undefined) return {}
    return {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'mcp-session-id, www-authenticate',
      vary: 'origin',
    }
  }

  /**
   * Who sent a request.
   *
   * @throws {Refusal} where it is nobody who is let in
   * @throws what `authenticate` throws; an error where it takes too long, or gives no name
   */
  async identify(request: IncomingMessage): Promise<Client> {
    const { tokens, authenticate } = this.#options
    if (authenticate !== undefined) return this.#ask(authenticate, request)
    if (tokens.length === 0) return undefined
    const { authorization } = request.headers
    const known = findToken(tokens, bearerOf(authorization))
    if (known !== undefined) return known.client
    throw unauthorized(authorization)
  }

  async #ask(
    authenticate: NonNullable<AccessOptions['authenticate']>,
    request: IncomingMessage,
  ): Promise<string> {
    const client: unknown = await interruptible(Promise.resolve(authenticate(request)), {
      seconds: authenticationTime,
      onTimeout: () => new Error(`authenticate has not answered in ${authenticationTime} seconds.`),
      signal: this.#options.closing,
      onAbort: aboutToStop,
    })
    if (client === undefined) throw unauthorized(request.headers.authorization)
    if (isClientName(client)) return client
    throw new TypeError('authenticate gave no name of 1 to 128 visible characters without "#".')
  }
}

function unauthorized(authorization: string | undefined): Refusal {
  const problem = authorization === undefined ? '' : ', error="invalid_token"'
  return new Refusal(401, 'This server asks for a valid bearer token.', {
    headers: { 'www-authenticate': `Bearer realm="mcp"${problem}` },
  })
}
