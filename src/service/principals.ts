import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { performance } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import { requireLabels } from '../config/labels.ts'
import type { Labels } from '../host/event-data.ts'
import { TokenBucket } from '../host/tenants/token-bucket.ts'
import type { ServerLoad, SessionLoad } from '../http/load.ts'
import { bearerOf, findToken, isClientName, type KnownToken, resolveTokens } from '../http/tokens.ts'
import { refuse } from '../sandbox/arguments.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { optionsOf, within } from '../sandbox/options-of.ts'
import { kindOf } from '../sandbox/show-value.ts'
import type { Authenticate, Grant, Scope, TokenGrant } from './options.ts'
import { ServiceProblem } from './service-problem.ts'
import { tenantOf } from './tenant-ids.ts'

/** Seconds that a function of the caller has to say who bears a token. */
const authenticationTime = 20
/** Names of a function's grants whose load is remembered, at most. */
const mostRemembered = 10_000

const SCOPES: readonly Scope[] = ['read', 'operate', 'metrics']

/** Who sent a request. */
export interface Principal {
  readonly name: string
  /** What their idempotency keys are kept under: of everybody else it is another one. */
  readonly keys: string
  readonly scopes: ReadonlySet<Scope>
  readonly labels: Labels
  /** What the keys of their sandboxes begin with. */
  readonly tenant: string
  /** What their requests hold. */
  readonly load: SessionLoad
  /** Undefined where there is no bound. */
  readonly bucket: TokenBucket | undefined
}

/** Knows who bears a token. */
export class Principals {
  /** Who sends requests that need no token. */
  readonly nobody: Principal
  readonly #load: ServerLoad
  readonly #tokens: readonly KnownToken[]
  readonly #grants: ReadonlyMap<string | undefined, Principal>
  readonly #authenticate: Authenticate | undefined
  readonly #asked = new Map<string, Principal>()

  /** @throws {SandboxConfigError} with the field `tokens`; neither a token nor a name is in its message */
  constructor(tokens: unknown, load: ServerLoad) {
    this.#load = load
    this.nobody = this.#principal({ name: 'nobody', scopes: [] })
    if (typeof tokens === 'function') {
      this.#tokens = []
      this.#grants = new Map()
      this.#authenticate = (token, request) => Reflect.apply(tokens, undefined, [token, request])
      return
    }
    const grants = requireGrants(tokens)
    this.#tokens = resolveTokens(Object.fromEntries(grants.map(({ name, token }) => [name, token])))
    this.#grants = new Map(grants.map((grant) => [grant.name, this.#principal(grant)]))
  }

  /** Who sent a request. @throws {ServiceProblem} where it is nobody who is let in */
  async identify(token: string, request: IncomingMessage, closing: AbortSignal): Promise<Principal> {
    if (token === '') throw unauthorized(request)
    if (this.#authenticate !== undefined)
      return this.#ask(this.#authenticate(token, request), request, closing)
    const known = findToken(this.#tokens, token)
    const principal = known && this.#grants.get(known.client)
    if (principal === undefined) throw unauthorized(request)
    return principal
  }

  async #ask(
    asked: ReturnType<Authenticate>,
    request: IncomingMessage,
    closing: AbortSignal,
  ): Promise<Principal> {
    const answer = await interruptible(Promise.resolve(asked), {
      seconds: authenticationTime,
      onTimeout: () => new Error(`The function tokens has not answered in ${authenticationTime} seconds.`),
      signal: closing,
      onAbort: () => new ServiceProblem('UNAVAILABLE', 'The service is about to stop.'),
    })
    if (answer === undefined) throw unauthorized(request)
    const resolved = answered(answer)
    const id = createHash('sha256').update(JSON.stringify(resolved)).digest('base64')
    const known = this.#asked.get(id)
    if (known !== undefined) return known
    const [oldest] = this.#asked.keys()
    if (this.#asked.size >= mostRemembered && oldest !== undefined) this.#asked.delete(oldest)
    const principal = this.#principal(resolved, id)
    this.#asked.set(id, principal)
    return principal
  }

  #principal({ name, scopes = SCOPES, labels = {}, requestsPerMinute }: Grant, keys = name): Principal {
    return {
      name,
      keys,
      scopes: new Set(scopes),
      labels,
      tenant: tenantOf(labels),
      load: this.#load.ofSession(),
      bucket:
        requestsPerMinute === undefined
          ? undefined
          : new TokenBucket(requestsPerMinute, () => performance.now()),
    }
  }
}

/** The token of a request; of a web socket, which a page opens without headers, that of a protocol it offers. */
export function tokenOf({ headers }: IncomingMessage): string {
  const bearer = bearerOf(headers.authorization)
  if (bearer !== '') return bearer
  const offered = /(?:^|,) *bearer\.([A-Za-z0-9_-]+) *(?:,|$)/.exec(headers['sec-websocket-protocol'] ?? '')
  return offered?.[1] === undefined ? '' : Buffer.from(offered[1], 'base64url').toString()
}

/** @throws {ServiceProblem} where the scope is missing */
export function requireScope({ scopes }: Principal, scope: Scope): void {
  if (scopes.has(scope)) return
  throw new ServiceProblem('FORBIDDEN', `This needs a token with the scope ${scope}.`)
}

/** @throws {ServiceProblem} where the principal has sent its requests of this minute */
export function requireRate({ bucket }: Principal): void {
  if (bucket === undefined) return
  if (bucket.wait > 0) {
    const seconds = Math.ceil(bucket.wait / 1000)
    throw new ServiceProblem(
      'TOO_MANY_REQUESTS',
      `This token may send ${bucket.perMinute} requests a minute. Try again in ${seconds} seconds.`,
      { headers: { 'retry-after': String(seconds) } },
    )
  }
  bucket.take()
}

/** Whether a sandbox with these labels is one of a principal. */
export function owns({ labels }: Principal, of: Labels): boolean {
  return Object.entries(labels).every(([name, value]) => of[name] === value)
}

function unauthorized({ headers }: IncomingMessage): ServiceProblem {
  const problem = headers.authorization === undefined ? '' : ', error="invalid_token"'
  return new ServiceProblem('UNAUTHORIZED', 'This service asks for a valid bearer token.', {
    headers: { 'www-authenticate': `Bearer realm="strands-shell-runtime"${problem}` },
  })
}

function requireGrants(tokens: unknown): TokenGrant[] {
  if (!Array.isArray(tokens) || tokens.length === 0) {
    throw refuse(
      'tokens',
      `must be a list of at least one { token, name }, or a function, but is ${kindOf(tokens)}.`,
    )
  }
  const grants = tokens.map((one: unknown, index): TokenGrant => {
    const field = `tokens[${index}]`
    const { token, ...grant } = optionsOf<TokenGrant>(
      one,
      ['token', 'name', 'scopes', 'labels', 'requestsPerMinute'],
      field,
    )
    if (typeof token !== 'string')
      throw refuse(`${field}.token`, `must be a string, but is ${kindOf(token)}.`)
    return { ...requireGrant(grant, field), token }
  })
  const names = new Set(grants.map(({ name }) => name))
  if (names.size < grants.length) throw refuse('tokens', 'must have another name for each token.')
  return grants
}

/** The grant that a function of the caller has answered with. @throws {Error} for none: no client is to blame */
function answered(grant: unknown): Grant {
  try {
    return requireGrant(grant, 'tokens()')
  } catch (cause) {
    throw new Error(`The function tokens has answered with no grant: ${errorMessage(cause)}`, { cause })
  }
}

function requireGrant(grant: unknown, field: string): Grant {
  const { name, scopes, labels, requestsPerMinute } = optionsOf<Grant>(
    grant,
    ['name', 'scopes', 'labels', 'requestsPerMinute'],
    field,
  )
  if (!isClientName(name))
    throw refuse(`${field}.name`, 'must be 1 to 128 visible characters without "#", and is not.')
  return {
    name,
    ...(scopes === undefined ? {} : { scopes: requireScopes(scopes, `${field}.scopes`) }),
    ...(labels === undefined ? {} : { labels: requireLabels(`${field}.labels`, labels) }),
    ...(requestsPerMinute === undefined
      ? {}
      : {
          requestsPerMinute: within(`${field}.requestsPerMinute`, requestsPerMinute, {
            least: 1,
            most: 100_000_000,
            isWhole: true,
          }),
        }),
  }
}

function requireScopes(scopes: unknown, field: string): readonly Scope[] {
  const isScopes =
    Array.isArray(scopes) && scopes.every((one: unknown) => SCOPES.some((known) => known === one))
  if (isScopes) return SCOPES.filter((known) => scopes.includes(known))
  throw refuse(field, `must be a list of ${SCOPES.join(', ')}, but is ${kindOf(scopes)}.`)
}
