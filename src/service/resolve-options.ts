import { join, resolve } from 'node:path'
import type { EngineName } from '../contract/lease.ts'
import { requireHostName, requireInteger, requireList, requireOrigin } from '../http/check-options.ts'
import { ServerLoad } from '../http/load.ts'
import { type AllowedSources, inUrl, loopbackNames } from '../http/source.ts'
import { refuse } from '../sandbox/arguments.ts'
import { optionsOf, within } from '../sandbox/options-of.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'
import { ShellHost } from '../shell-host/shell-host.ts'
import { directoryStore } from '../snapshot/directory-store/directory-store.ts'
import type { SnapshotStore } from '../snapshot/store.ts'
import type { RecordStore, ServeOptions } from './options.ts'
import { Principals } from './principals.ts'
import { DirectoryRecords, MemoryRecords } from './records.ts'
import { Templates } from './templates.ts'

/** Where sandboxes live, and where they are kept. */
interface Places {
  readonly host: ShellHost<EngineName>
  /** Whether the service made the host, and closes it. */
  readonly ownsHost: boolean
  readonly store: SnapshotStore | undefined
  readonly records: RecordStore
}

/** Options that are all there. */
export interface ResolvedServeOptions {
  readonly principals: Principals
  readonly templates: Templates
  readonly sources: AllowedSources
  readonly port: number
  readonly hostname: string
  readonly maxConnections: number
  readonly maxBodyBytes: number
  readonly resumeTime: number
  readonly keyTime: number
  readonly durable: boolean
  readonly page: boolean
  readonly log: (line: string) => void
  /** Makes the host: last, as nothing closes it where something else is not valid. */
  readonly places: () => Places
}

const known = [
  'tokens',
  'templates',
  'data',
  'host',
  'records',
  'durable',
  'page',
  'port',
  'hostname',
  'allowedHosts',
  'allowedOrigins',
  'maxConnections',
  'maxBodyBytes',
  'maxPendingRequests',
  'maxPendingBytes',
  'resumeTime',
  'keyTime',
  'log',
] as const satisfies readonly (keyof ServeOptions)[]

/** @throws {SandboxConfigError} naming the option that is not valid */
export function resolveServeOptions(options: ServeOptions): ResolvedServeOptions {
  optionsOf<ServeOptions>(options, known)
  const { hostname = '127.0.0.1', log = () => undefined } = options
  if (typeof hostname !== 'string' || hostname === '')
    throw refuse('hostname', `must be an address, but is ${showValue(hostname)}.`)
  if (typeof log !== 'function') throw refuse('log', `must be a function, but is ${kindOf(log)}.`)
  const maxBodyBytes = requireInteger('maxBodyBytes', options.maxBodyBytes ?? 96 * 2 ** 20, 1, 2 ** 30)
  const maxPendingBytes = requireInteger(
    'maxPendingBytes',
    options.maxPendingBytes ?? Math.max(256 * 2 ** 20, maxBodyBytes),
    maxBodyBytes,
    2 ** 40,
  )
  const load = new ServerLoad({
    maxPendingRequests: requireInteger('maxPendingRequests', options.maxPendingRequests ?? 256, 1, 100_000),
    maxPendingBytes,
    maxSessionBytes: Math.max(maxBodyBytes, Math.floor(maxPendingBytes / 4)),
  })
  const seconds = { least: 0, most: 3600, unit: 'seconds' }
  return {
    principals: new Principals(options.tokens, load),
    templates: new Templates(options.templates),
    sources: {
      allowedHosts: new Set([
        ...loopbackNames,
        ...requireList('allowedHosts', options.allowedHosts).map(requireHostName),
        ...(isAnyAddress(hostname) ? [] : [inUrl(hostname).toLowerCase()]),
      ]),
      allowedOrigins: new Set(requireList('allowedOrigins', options.allowedOrigins).map(requireOrigin)),
    },
    port: requireInteger('port', options.port ?? 0, 0, 65_535),
    hostname,
    maxConnections: requireInteger('maxConnections', options.maxConnections ?? 16_384, 1, 1_000_000),
    maxBodyBytes,
    resumeTime: within('resumeTime', options.resumeTime ?? 60, seconds),
    keyTime: within('keyTime', options.keyTime ?? 120, seconds),
    durable: requireFlag('durable', options.durable ?? true),
    page: requireFlag('page', options.page ?? true),
    log,
    places: () => placesOf(options),
  }
}

function requireFlag(field: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw refuse(field, `must be true or false, but is ${kindOf(value)}.`)
}

function placesOf({ data, host, records }: ServeOptions): Places {
  if (data === undefined) {
    return {
      host: host ?? new ShellHost({ isolation: 'process' }),
      ownsHost: host === undefined,
      store: undefined,
      records: records ?? new MemoryRecords(),
    }
  }
  if (typeof data !== 'string' || data === '')
    throw refuse('data', `must be the path of a directory, but is ${showValue(data)}.`)
  if (host !== undefined || records !== undefined)
    throw refuse('data', 'is for a host of the service: leave data out, or host and records.')
  const path = resolve(data)
  const store = directoryStore(join(path, 'sessions'))
  return {
    host: new ShellHost({ isolation: 'process', hibernate: { store } }),
    ownsHost: true,
    store,
    records: new DirectoryRecords(join(path, 'records')),
  }
}

/** Whether an address stands for all of this machine: no request names it. */
function isAnyAddress(hostname: string): boolean {
  return hostname === '0.0.0.0' || hostname === '::'
}
