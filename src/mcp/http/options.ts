import { parseUrl } from '../../allowlist/parse-url.ts'
import type { EngineName } from '../../contract/lease.ts'
import { optionsOf } from '../../sandbox/options-of.ts'
import { kindOf, showValue } from '../../sandbox/show-value.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import { type McpServerOptions, refuseOption, requireText, sessionOptions } from '../options.ts'
import type { LoadBounds } from './load.ts'

/** Options of {@link serveHttp}. */
export interface ServeHttpOptions extends McpServerOptions {
  /**
   * The port; 0 takes a free one.
   *
   * @default 0
   */
  readonly port?: number | undefined
  /**
   * The address to listen on. One that is not loopback needs a token.
   *
   * @default '127.0.0.1'
   */
  readonly hostname?: string | undefined
  /**
   * The bearer token that requests must carry, at least 16 characters; with several, each client has its own, and a
   * session answers only the one that began it.
   *
   * @default undefined (none, on loopback alone)
   */
  readonly token?: string | readonly string[] | undefined
  /**
   * Most sessions at once; a further client is refused with the status 503.
   *
   * @default 64
   */
  readonly maxSessions?: number | undefined
  /**
   * Names, without a port, that the `Host` of a request may have, besides `localhost`, `127.0.0.1`, `[::1]` and
   * `hostname`. Any other is refused, so that no web page reaches the server under a name of its own.
   *
   * @default []
   */
  readonly allowedHosts?: readonly string[] | undefined
  /**
   * Origins, such as `https://app.example.com`, whose web pages may use the server. Requests of others are refused;
   * those that have no `Origin`, as no browser sent them, are not.
   *
   * @default []
   */
  readonly allowedOrigins?: readonly string[] | undefined
  /**
   * Most bytes of a request's body; a larger one is refused with the status 413.
   *
   * @default 4194304 (4 MiB)
   */
  readonly maxBodyBytes?: number | undefined
  /**
   * Most requests of a session that are not answered yet; a further one is refused with the status 429.
   *
   * @default 64
   */
  readonly maxPendingRequests?: number | undefined
  /**
   * Most bytes that the bodies of requests have that are not answered yet, of all sessions together; a further one is
   * refused with the status 503. One session may have a quarter of them, or one body; it is refused more with the
   * status 429. At least `maxBodyBytes`.
   *
   * @default 67108864 (64 MiB), or `maxBodyBytes` where that is more
   */
  readonly maxPendingBytes?: number | undefined
  /**
   * Most connections at once, of clients without a token too; further ones are closed.
   *
   * @default 256, or four for each session where that is more
   */
  readonly maxConnections?: number | undefined
  /**
   * Whose sandboxes they are. Where it has fewer places than there are sessions, a call may wait for one.
   *
   * @default one of the server's own (isolation `'process'`) with a place for each session, closed with the server
   */
  readonly host?: ShellHost<EngineName> | undefined
  /**
   * Called with a line about each session that begins or ends, and each thing that went wrong.
   *
   * @default nothing
   */
  readonly log?: ((line: string) => void) | undefined
}

/** Options that are all there. */
export interface ResolvedHttpOptions extends LoadBounds {
  readonly port: number
  readonly hostname: string
  readonly tokens: readonly string[]
  readonly maxSessions: number
  /** Lower case. */
  readonly allowedHosts: ReadonlySet<string>
  readonly allowedOrigins: ReadonlySet<string>
  readonly maxBodyBytes: number
  readonly maxConnections: number
}

const httpOptions = [
  'port',
  'hostname',
  'token',
  'maxSessions',
  'allowedHosts',
  'allowedOrigins',
  'maxBodyBytes',
  'maxPendingRequests',
  'maxPendingBytes',
  'maxConnections',
  'host',
  'log',
] as const satisfies readonly (keyof ServeHttpOptions)[]
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']
const shortestToken = 16

/** @throws {SandboxConfigError} naming the option that is not valid */
export function resolveHttpOptions(options: ServeHttpOptions): ResolvedHttpOptions {
  optionsOf<ServeHttpOptions>(options, [...sessionOptions, ...httpOptions])
  const hostname = requireText('hostname', options.hostname ?? '127.0.0.1')
  const tokens = resolveTokens(options.token)
  if (tokens.length === 0 && !isLoopback(hostname)) {
    throw refuseOption(
      'token',
      `is needed to listen on ${hostname}, which other machines may reach: without one, anybody there could run commands. Give a token, or listen on 127.0.0.1.`,
    )
  }
  const maxSessions = requireInteger('maxSessions', options.maxSessions ?? 64, 1, 1_000_000)
  const maxBodyBytes = requireInteger('maxBodyBytes', options.maxBodyBytes ?? 4 * 2 ** 20, 1, 2 ** 30)
  const pendingBytes = options.maxPendingBytes ?? Math.max(64 * 2 ** 20, maxBodyBytes)
  const maxPendingBytes = requireInteger('maxPendingBytes', pendingBytes, maxBodyBytes, 2 ** 40)
  return {
    port: requireInteger('port', options.port ?? 0, 0, 65_535),
    hostname,
    tokens,
    maxSessions,
    allowedHosts: new Set([
      ...loopbackNames,
      inUrl(hostname).toLowerCase(),
      ...requireList('allowedHosts', options.allowedHosts).map(requireHostName),
    ]),
    allowedOrigins: new Set(requireList('allowedOrigins', options.allowedOrigins).map(requireOrigin)),
    maxBodyBytes,
    maxPendingRequests: requireInteger('maxPendingRequests', options.maxPendingRequests ?? 64, 1, 100_000),
    maxPendingBytes,
    maxSessionBytes: Math.max(maxBodyBytes, Math.floor(maxPendingBytes / 4)),
    maxConnections: requireInteger(
      'maxConnections',
      options.maxConnections ?? Math.max(256, 4 * maxSessions),
      1,
      1_000_000,
    ),
  }
}

/** A host as addresses and `Host` headers have it: IPv6 in brackets. */
export function inUrl(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function resolveTokens(token: unknown): string[] {
  if (token === undefined) return []
  const tokens = typeof token === 'string' ? [token] : requireList('token', token)
  for (const one of tokens) {
    if (!/^[\x21-\x7e]+$/.test(one) || one.length < shortestToken) {
      throw refuseOption(
        'token',
        `must be at least ${shortestToken} visible ASCII characters without spaces, but is ${kindOf(one)}.`,
      )
    }
  }
  if (tokens.length === 0) throw refuseOption('token', 'must name a token, but is an empty list.')
  return tokens
}

function requireInteger(field: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw refuseOption(field, `must be an integer from ${least} to ${most}, but is ${showValue(value)}.`)
}

function requireList(field: string, value: unknown): string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw refuseOption(field, `must be a list of strings, but is ${kindOf(value)}.`)
}

function requireHostName(name: string): string {
  if (/^(\[[0-9a-f:.]+\]|[^:/@\s]+)$/i.test(name)) return name.toLowerCase()
  throw refuseOption(
    'allowedHosts',
    `must be names without a port, such as mcp.example.com, but has ${showValue(name)}.`,
  )
}

function requireOrigin(origin: string): string {
  if (parseUrl(origin)?.origin === origin) return origin
  throw refuseOption(
    'allowedOrigins',
    `must be origins such as https://app.example.com, but has ${showValue(origin)}.`,
  )
}
