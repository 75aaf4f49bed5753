import { resolve } from 'node:path'
import { parseUrl } from '../allowlist/parse-url.ts'
import { isLabelName } from '../config/labels.ts'
import type { EngineName } from '../contract/lease.ts'
import { isPlain } from '../contract/plain.ts'
import type { Labels } from '../host/event-data.ts'
import { refuse } from '../sandbox/arguments.ts'
import { within } from '../sandbox/options-of.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'
import type { RecordStore, ServeOptions } from '../service/options.ts'
import { DirectoryRecords } from '../service/records.ts'
import type { ShellHostOptions } from '../shell-host/options.ts'
import { directoryStore } from '../snapshot/directory-store/directory-store.ts'
import type { SnapshotStore } from '../snapshot/store.ts'
import { requireClusterName, requireRedis } from './redis-options.ts'

/** Options of {@link clusterNode}: those of a service, and these. Durations are in seconds. */
export interface ClusterNodeOptions extends Omit<ServeOptions, 'data' | 'host' | 'records'> {
  /** The address of Redis 7.0 or later: `redis://127.0.0.1:6379`. Its password appears in no error. */
  readonly redis: string
  /**
   * The name of the cluster: letters, digits, `-` and `_`, at most 64. Clusters of other names share nothing in the same Redis.
   *
   * @default 'default'
   */
  readonly cluster?: string | undefined
  /**
   * A directory that all nodes share, with their sessions and which there are. One of `data` and `shared` is needed.
   */
  readonly data?: string | undefined
  /** Where all nodes keep sessions and which there are, in the place of a directory. */
  readonly shared?: { readonly store: SnapshotStore; readonly records: RecordStore } | undefined
  /**
   * Where clients and other nodes reach this one.
   *
   * @default the address that it listens on
   */
  readonly advertise?: string | undefined
  /**
   * What the node can be chosen by, such as `{ zone: 'a' }`.
   *
   * @default {}
   */
  readonly nodeLabels?: Labels | undefined
  /**
   * How long the sessions of a node that is silent wait for it, from 1 to 300. A node that cannot renew its lease answers nothing
   * after nine tenths of it.
   *
   * @default 5
   */
  readonly lease?: number | undefined
  /**
   * How long calls under way have when their session is handed over to another node.
   *
   * @default 10
   */
  readonly grace?: number | undefined
  /**
   * A session without a call for so long gives its place up, and wakes at the next one.
   *
   * @default undefined (only where the node is full)
   */
  readonly hibernateAfter?: number | undefined
  /**
   * Jobs that the node runs at once; 0: it runs none.
   *
   * @default 4
   */
  readonly jobConcurrency?: number | undefined
  /**
   * Options of the host of the node.
   *
   * @default { isolation: 'process' }
   */
  readonly hostOptions?: Omit<ShellHostOptions<EngineName>, 'hibernate'> | undefined
}

/** Options that are all there. */
export interface ResolvedNodeOptions {
  readonly redis: string
  readonly cluster: string
  readonly store: SnapshotStore
  readonly records: RecordStore
  readonly advertise: URL | undefined
  readonly nodeLabels: Labels
  readonly lease: number
  readonly grace: number
  readonly hibernateAfter: number | undefined
  readonly jobConcurrency: number
  readonly hostOptions: Omit<ShellHostOptions<EngineName>, 'hibernate'>
  /** Those of the service. */
  readonly service: ServeOptions
}

/** @throws {SandboxConfigError} naming the option that is not valid */
export function resolveNodeOptions(options: ClusterNodeOptions): ResolvedNodeOptions {
  if (typeof options !== 'object' || options === null)
    throw refuse('options', `must be an object, but is ${kindOf(options)}.`)
  const {
    redis,
    cluster,
    data,
    shared,
    advertise,
    nodeLabels = {},
    lease = 5,
    grace = 10,
    hibernateAfter,
    jobConcurrency = 4,
    hostOptions = { isolation: 'process' },
    ...service
  } = options
  const url = advertise === undefined ? undefined : requireUrl(advertise)
  return {
    redis: requireRedis(redis),
    cluster: requireClusterName(cluster),
    ...placesOf(data, shared),
    advertise: url,
    nodeLabels: requireNodeLabels('nodeLabels', nodeLabels),
    lease: within('lease', lease, { least: 1, most: 300, unit: 'seconds' }),
    grace: within('grace', grace, { least: 0, most: 3600, unit: 'seconds' }),
    hibernateAfter,
    jobConcurrency: within('jobConcurrency', jobConcurrency, { least: 0, most: 10_000, isWhole: true }),
    hostOptions,
    service: {
      ...service,
      ...(url === undefined ? {} : { allowedHosts: [...(service.allowedHosts ?? []), url.hostname] }),
    },
  }
}

/** @throws {SandboxConfigError} for what are no labels of a node */
export function requireNodeLabels(field: string, labels: unknown): Labels {
  const isLabels =
    typeof labels === 'object' &&
    labels !== null &&
    isPlain(labels) &&
    Object.entries(labels).every(
      ([name, value]) => isLabelName(name) && typeof value === 'string' && value.length <= 256,
    )
  if (isLabels) return Object.fromEntries(Object.entries(labels))
  throw refuse(field, 'must be an object of names and texts of at most 256 characters, and is not.')
}

function placesOf(
  data: unknown,
  shared: ClusterNodeOptions['shared'],
): { readonly store: SnapshotStore; readonly records: RecordStore } {
  if ((data === undefined) === (shared === undefined))
    throw refuse('data', 'or shared must say where all nodes keep sessions, one of them.')
  if (shared !== undefined) return shared
  if (typeof data !== 'string' || data === '')
    throw refuse('data', `must be the path of a directory, but is ${showValue(data)}.`)
  const path = resolve(data)
  return {
    store: directoryStore(`${path}/sessions`),
    records: new DirectoryRecords(`${path}/records`),
  }
}

function requireUrl(value: unknown): URL {
  const url = typeof value === 'string' ? parseUrl(value) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '')
    return url
  throw refuse(
    'advertise',
    `must be an address, such as http://10.0.0.7:7300, without a user and a query, but is ${showValue(value)}.`,
  )
}
