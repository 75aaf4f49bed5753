import { parseUrl } from '../../../../src/allowlist/parse-url.ts'
import type { Stop } from '../session/stop.ts'
import { type AnswerHead, exchange, type HttpAnswer, type OutgoingRequest } from './exchange.ts'
import { brokenOff, RequestFailure, timedOut } from './failure.ts'
import { type Header, outgoingHeaders, withoutSecrets } from './headers.ts'
import type { Route } from './route.ts'
import { type TellEgress, ToldRequest } from './told-requests.ts'

/** Redirects that a request follows at most, whatever it asks for. */
export const MAX_REDIRECTS = 20

/** The longest wait for an address, in milliseconds. */
const CONNECT_TIMEOUT = 10_000

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** What a program asks for. */
export interface ClientRequest {
  readonly url: string
  readonly method: string
  readonly headers: readonly Header[]
  readonly body?: Uint8Array | undefined
  /** Redirects to follow; 0 gives the redirect itself. What is no such number stands for the most. */
  readonly redirects: number
  /** For the whole request. */
  readonly milliseconds?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** The last answer, and what led to it. */
export interface ClientAnswer extends HttpAnswer {
  /** The address that gave it, without a user name. */
  readonly url: string
  /** The redirects before it. */
  readonly earlier: readonly AnswerHead[]
}

/** What a client is made of. */
interface ClientOptions {
  readonly route: Route
  readonly credentials: readonly { readonly url: string; readonly token: string }[]
  /** Bytes of a body. */
  readonly maxBody: number
  readonly stop: Stop
  readonly tell: TellEgress
}

/** Requests of the programs of a sandbox: each one, and each redirect, is judged by the route. */
export class HttpClient {
  readonly #options: ClientOptions
  readonly #tokens: ReadonlyMap<string, string>

  constructor(options: ClientOptions) {
    this.#options = options
    this.#tokens = new Map(options.credentials.map(({ url, token }) => [new URL(url).origin, token]))
  }

  /** @throws RequestFailure */
  async send({ redirects, milliseconds, ...request }: ClientRequest): Promise<ClientAnswer> {
    if (!METHODS.has(request.method))
      throw new RequestFailure(
        1,
        `the method ${request.method} is not allowed. Allowed: ${[...METHODS].join(', ')}`,
      )
    const { stop } = this.#options
    const signals = [stop.waiting, request.signal].filter((signal) => signal !== undefined)
    const timeout = milliseconds === undefined ? [] : [AbortSignal.timeout(timerOf(milliseconds))]
    const most =
      Number.isInteger(redirects) && redirects >= 0 ? Math.min(redirects, MAX_REDIRECTS) : MAX_REDIRECTS
    const signal = AbortSignal.any([...signals, ...timeout])
    const earlier: AnswerHead[] = []
    let url = readUrl(request.url)
    let { method, headers, body } = { ...request, headers: withUser(request.headers, url) }
    // A redirect that leaves the host of a credential does not bring it back.
    let mayHaveToken = true
    for (;;) {
      const token = mayHaveToken ? this.#tokens.get(url.origin) : undefined
      const answer = await this.#once(
        url,
        { method, headers: outgoingHeaders(url, headers, token), body },
        signal,
      )
      const next = most === 0 ? undefined : nextUrl(answer, url)
      if (next === undefined) return { ...answer, url: withoutUser(url) ?? '', earlier }
      if (earlier.length >= most) throw new RequestFailure(47, `Maximum (${most}) redirects followed`)
      const { body: _unread, ...head } = answer
      earlier.push(head)
      if (next.origin !== url.origin) {
        mayHaveToken = false
        headers = withoutSecrets(headers)
      }
      if (answer.status === 303 ? method !== 'HEAD' : answer.status < 303 && method === 'POST') {
        method = 'GET'
        body = undefined
        headers = headers.filter(([name]) => !/^content-(type|length)$/i.test(name))
      }
      url = next
    }
  }

  async #once(url: URL, request: OutgoingRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { route, maxBody, tell } = this.#options
    const told = new ToldRequest(tell, route, { url, ...request })
    try {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT)])
      const connection = await route.open(url, soon)
      told.allowed(connection)
      const answer = await exchange(connection, request, maxBody, signal)
      const refused = route.refusalIn(answer.headers, url)
      if (refused !== undefined) throw refused
      told.ended(answer)
      return answer
    } catch (error) {
      const failure = signal.aborted ? timedOut() : error
      told.failed(failure)
      // What Node says of a fault may show headers.
      throw failure instanceof RequestFailure ? failure : brokenOff()
    }
  }
}

/** What a timer takes: whole milliseconds, at most so many as 32 bits hold. */
function timerOf(milliseconds: number): number {
  return Math.min(2 ** 31 - 1, Math.max(1, Math.ceil(milliseconds)))
}

function readUrl(text: string): URL {
  const url = parseUrl(text)
  if (url === undefined) throw new RequestFailure(3, 'URL rejected: malformed')
  if (url.protocol === 'http:' || url.protocol === 'https:') return url
  throw new RequestFailure(1, `Protocol "${url.protocol.slice(0, -1)}" not supported`)
}

function nextUrl({ status, headers }: AnswerHead, url: URL): URL | undefined {
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (location === undefined || !REDIRECTS.has(status)) return undefined
  return readUrl(withoutUser(parseUrl(location, url)) ?? location)
}

/** The user name of an address as a header, where there is no other. */
function withUser(headers: readonly Header[], { username, password }: URL): readonly Header[] {
  if (username === '' && password === '') return headers
  if (headers.some(([name]) => name.toLowerCase() === 'authorization')) return headers
  const user = [username, password].map(decoded).join(':')
  return [...headers, ['Authorization', `Basic ${Buffer.from(user).toString('base64')}`]]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A `%` that is not an escape is an ordinary character.
  }
}

function withoutUser(url: URL | undefined): string | undefined {
  if (url === undefined) return undefined
  const bare = new URL(url.href)
  bare.username = ''
  bare.password = ''
  return bare.href
}
