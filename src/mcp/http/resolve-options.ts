import { requireHostName, requireInteger, requireList, requireOrigin } from '../../http/check-options.ts'
import type { LoadBounds } from '../../http/load.ts'
import { inUrl, isLoopback, loopbackNames } from '../../http/source.ts'
import { type KnownToken, ownerOfName, resolveTokens } from '../../http/tokens.ts'
import { optionsOf } from '../../sandbox/options-of.ts'
import { kindOf } from '../../sandbox/show-value.ts'
import { refuseOption, requireFunction, requireStore, requireText, sessionOptions } from '../options.ts'
import type { HttpHandlerOptions, ServeHttpOptions } from './options.ts'

/** Options of a handler that are all there. */
export interface ResolvedHandlerOptions extends LoadBounds {
  readonly tokens: readonly KnownToken[]
  readonly authenticate: HttpHandlerOptions['authenticate']
  readonly maxSessions: number
  readonly maxSessionsPerClient: number
  /** What the sessions of a client are stored under; undefined where they are not. */
  readonly ownerOf: ((client: string | undefined) => string) | undefined
  /** Lower case. */
  readonly allowedHosts: ReadonlySet<string>
  readonly allowedOrigins: ReadonlySet<string>
  readonly maxBodyBytes: number
}

/** Where a server listens. */
export interface ListenOptions {
  readonly port: number
  readonly hostname: string
  readonly maxConnections: number
}

const handlerOptions = [
  'token',
  'authenticate',
  'maxSessions',
  'maxSessionsPerClient',
  'allowedHosts',
  'allowedOrigins',
  'maxBodyBytes',
  'maxPendingRequests',
  'maxPendingBytes',
  'beforeClose',
  'host',
  'keepSessions',
  'log',
] as const satisfies readonly (keyof HttpHandlerOptions)[]
const listenOptions = [
  'port',
  'hostname',
  'maxConnections',
] as const satisfies readonly (keyof ServeHttpOptions)[]

/** @throws {SandboxConfigError} naming the option that is not valid */
export function resolveHandlerOptions(options: HttpHandlerOptions): ResolvedHandlerOptions {
  optionsOf<HttpHandlerOptions>(options, [...sessionOptions, ...handlerOptions])
  const { token, authenticate } = options
  const tokens = resolveTokens(token)
  requireFunction('authenticate', authenticate)
  if (authenticate !== undefined && tokens.length > 0) {
    throw refuseOption('authenticate', 'takes the place of token: give one of them.')
  }
  const isGuarded = authenticate !== undefined || tokens.length > 0
  const ownerOf = resolveKeep(options, isGuarded)
    ? (client = '') => tokens.find((known) => (known.client ?? '') === client)?.owner ?? ownerOfName(client)
    : undefined
  const maxBodyBytes = requireInteger('maxBodyBytes', options.maxBodyBytes ?? 4 * 2 ** 20, 1, 2 ** 30)
  const maxSessions = resolveMaxSessions(options)
  const perClient = options.maxSessionsPerClient ?? maxSessions
  const pendingBytes = options.maxPendingBytes ?? Math.max(64 * 2 ** 20, maxBodyBytes)
  const maxPendingBytes = requireInteger('maxPendingBytes', pendingBytes, maxBodyBytes, 2 ** 40)
  return {
    tokens,
    authenticate,
    maxSessions,
    maxSessionsPerClient: requireInteger('maxSessionsPerClient', perClient, 1, 1_000_000),
    ownerOf,
    allowedHosts: new Set([
      ...loopbackNames,
      ...requireList('allowedHosts', options.allowedHosts).map(requireHostName),
    ]),
    allowedOrigins: new Set(requireList('allowedOrigins', options.allowedOrigins).map(requireOrigin)),
    maxBodyBytes,
    maxPendingRequests: requireInteger('maxPendingRequests', options.maxPendingRequests ?? 64, 1, 100_000),
    maxPendingBytes,
    maxSessionBytes: Math.max(maxBodyBytes, Math.floor(maxPendingBytes / 4)),
  }
}

function resolveKeep({ keepSessions = false, host }: HttpHandlerOptions, isGuarded: boolean): boolean {
  if (typeof keepSessions !== 'boolean')
    throw refuseOption('keepSessions', `must be true or false, but is ${kindOf(keepSessions)}.`)
  if (!keepSessions) return false
  requireStore('keepSessions', host)
  if (isGuarded) return true
  throw refuseOption(
    'keepSessions',
    'needs token or authenticate: without one, nobody can tell whose session it is.',
  )
}

/** How many sessions there may be. @throws {SandboxConfigError} where it is not valid */
export function resolveMaxSessions({ maxSessions = 64 }: HttpHandlerOptions): number {
  return requireInteger('maxSessions', maxSessions, 1, 1_000_000)
}

/**
 * What of the options of a server is for its handler, and where it listens.
 *
 * @throws {SandboxConfigError} naming the option that is not valid
 */
export function splitServeOptions(options: ServeHttpOptions): {
  readonly handler: HttpHandlerOptions
  readonly listen: ListenOptions
} {
  optionsOf<ServeHttpOptions>(options, [...sessionOptions, ...handlerOptions, ...listenOptions])
  const { port = 0, hostname: given = '127.0.0.1', maxConnections, ...handler } = options
  const hostname = requireText('hostname', given)
  if (handler.token === undefined && handler.authenticate === undefined && !isLoopback(hostname)) {
    throw refuseOption(
      'token',
      `is needed to listen on ${hostname}, which other machines may reach: without one, anybody there could run commands. Give a token, or listen on 127.0.0.1.`,
    )
  }
  const connections = maxConnections ?? Math.max(256, 4 * resolveMaxSessions(options))
  return {
    handler: {
      ...handler,
      allowedHosts: [...requireList('allowedHosts', handler.allowedHosts), inUrl(hostname)],
    },
    listen: {
      port: requireInteger('port', port, 0, 65_535),
      hostname,
      maxConnections: requireInteger('maxConnections', connections, 1, 1_000_000),
    },
  }
}
