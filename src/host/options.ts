import type { Hardening, HostNetwork, Isolation } from '../contract/isolation.ts'
import type { Policy } from '../policy/types.ts'
import type { AuditSink } from './audit-sink.ts'
import type { PlaceBounds } from './derive-places.ts'
import type { HibernateOptions } from './hibernation/options.ts'
import { thisMachine } from './places-of-machine.ts'
import type { CellsFor, ResolvedQuotas, TenantQuotas } from './tenants/options.ts'

/** Options of a host that do not depend on what its sandboxes are. Durations are in seconds. */
export interface HostOptions {
  /**
   * What a sandbox has for itself where its own config does not say. `'worker'`: its own worker thread, about 9 MiB.
   * `'shared'`: its own shell in a worker that it shares, under 0.5 MiB; a worker's death takes all its sandboxes.
   * `'process'`: its own worker thread in a child process, a cell, that it shares with few others and that can be ended
   * whatever it does.
   *
   * @default 'process'
   */
  readonly isolation?: Isolation | undefined
  /**
   * Most sandboxes with a session at once, those that open included. Further ones wait in a queue. What is given of
   * `maxSandboxes`, `maxCells` and `sandboxesPerCell` must agree; what is left out is derived from the rest.
   *
   * @default under isolation `'process'` `maxCells` x `sandboxesPerCell` where `maxCells` is given. Else one for each
   * 96 MiB of memory of the machine, or of its container, under `'worker'` one for each 32 MiB, under `'shared'` one for
   * each MiB, and 1024 at most; where `sandboxesPerCell` is given, at least so many for each core
   */
  readonly maxSandboxes?: number | undefined
  /**
   * Most sandboxes that may wait for a place at once; a further one rejects with `HOST_SATURATED`. 0: none waits.
   *
   * @default 1024
   */
  readonly maxQueued?: number | undefined
  /**
   * Seconds that opening a sandbox may take, waiting for a place included, before it rejects with
   * `HOST_SATURATED`.
   *
   * @default 60
   */
  readonly openTimeout?: number | undefined
  /**
   * Places that are kept ready ahead of demand at the host's isolation level, in workers that have loaded the engine:
   * opening on one takes a millisecond or two instead of a worker's start. Never more than `maxSandboxes` leaves free.
   *
   * @default 0
   */
  readonly warm?: number | undefined
  /**
   * Sandboxes that a worker serves at most, under isolation `'shared'` and in cells.
   *
   * @default 256 under isolation `'shared'`, 1 in cells
   */
  readonly sandboxesPerWorker?: number | undefined
  /**
   * Sandboxes that a cell serves at most.
   *
   * @default 8, or fewer where `maxCellMemory` is below 320 MiB; more where `sandboxesPerWorker` is more, or where
   * `maxCells` cells have to hold `maxSandboxes`
   */
  readonly sandboxesPerCell?: number | undefined
  /**
   * Most cells of one shell that take sandboxes at once. While there are fewer, a sandbox gets a cell of its own.
   *
   * @default as many as `maxSandboxes` and the memory have room for. Then only the first cells, one for each core, are
   * for one sandbox each; further ones are started where the others are full or have other `allowedUrls`, or in jails other binds
   */
  readonly maxCells?: number | undefined
  /**
   * Resident memory, in bytes, past which a cell is ended: its sandboxes are lost with `MEMORY_LIMIT`.
   *
   * @default a quarter of the memory of the machine, or of its container
   */
  readonly maxCellMemory?: number | undefined
  /**
   * Most seconds to wait before a cell is started where cells have died one after another.
   *
   * @default 5
   */
  readonly cellBackoff?: number | undefined
  /**
   * What cells reach of the network. `'allowlist'`: what the `allowedUrls` of its sandboxes name, through a proxy of the
   * host, which resolves names and refuses private addresses. `'none'`: nothing. `'public'`: what the engine lets
   * through. Only cells can be held to it: with other isolation levels anything but `'public'` is refused, and so are
   * sandboxes that choose another level on a host that names a mode.
   *
   * `'restricted'`: every sandbox reaches what its `allowedUrls` name and nothing else, and one that its isolation level
   * cannot hold to that is refused when it opens: a Strands Shell in a thread. Cells are as with `'allowlist'`.
   *
   * @default 'allowlist'
   */
  readonly network?: HostNetwork | undefined
  /**
   * Whether cells are in jails, where they see no file of the host but what they run with and the binds of their sandboxes, no
   * process and no network but the proxy. `'auto'`: where this machine can have jails; `stats().hardening` and the event
   * `hardening` say what cells have. `'require'`: opening rejects with `INVALID_CONFIG` where it cannot. `'none'`: never.
   * A cell in a jail serves sandboxes with the same binds only.
   *
   * @default 'auto'
   */
  readonly hardening?: Hardening | undefined
  /**
   * Sandboxes that may run commands at once; the others wait, first come, first served by sandbox, and with `quotas` by
   * tenant. The wait counts into
   * a call's `timeout`, and not into the sandbox's.
   *
   * @default 8 for each core
   */
  readonly maxRunning?: number | undefined
  /**
   * What each tenant may have, and by which label of a sandbox's config tenants are told apart. Between tenants places and
   * turns to run commands are shared: the next one goes to the tenant that has the fewest. `{ label: 'tenant' }` alone bounds
   * nobody, and shares all the same.
   *
   * @default undefined (all sandboxes are one tenant)
   */
  readonly quotas?: TenantQuotas | undefined
  /**
   * Which sandboxes may share a cell. `'policy'`: those with the same `allowedUrls`. `{ label: 'tenant' }`: of these only those
   * with the same value of the label; those without it are one more value. Then sandboxes fill a cell before the next one is
   * started for the same value. Needs isolation `'process'`.
   *
   * @default 'policy'
   */
  readonly cellsFor?: CellsFor | undefined
  /**
   * Seconds after which a sandbox without a pending call is closed.
   *
   * @default undefined (never)
   */
  readonly idleTimeout?: number | undefined
  /**
   * Seconds after its first call after which a sandbox is closed, once no call of it is pending.
   *
   * @default undefined (never)
   */
  readonly maxLifetime?: number | undefined
  /**
   * Where named sandboxes are stored while nobody uses them: they give up their place, their files in memory and their part of
   * `maxSandboxes`. A call wakes them; `getOrOpen` wakes them in a later process, too.
   *
   * @default undefined (they are not stored)
   */
  readonly hibernate?: HibernateOptions | undefined
  /**
   * What an opening does where the host is full. `'wait'`: it waits for a place. `'hibernate'`: it waits, and the named
   * sandbox that is idle longest is stored. `'evict-idle'`: it waits, and the sandbox that is idle longest is closed. `'reject'`:
   * it rejects with `HOST_SATURATED`.
   *
   * @default 'hibernate' where `hibernate` is given, else 'wait'
   */
  readonly onSaturated?: 'hibernate' | 'evict-idle' | 'wait' | 'reject' | undefined
  /**
   * Decides on every command, code and file operation of every sandbox before it runs; of an array each one has to allow it. The
   * `policy` of a sandbox is asked after it, and cannot replace it.
   *
   * @default undefined (none)
   */
  readonly policy?: Policy | readonly Policy[] | undefined
  /**
   * What keeps the events of the host: `auditLog({ file })` makes one. Closing the host flushes it.
   *
   * @default undefined (none are kept)
   */
  readonly audit?: AuditSink | undefined
  /**
   * Most retired sessions, whose native call still runs, at once. Past it, opening rejects with
   * `HOST_SATURATED` until some have ended.
   *
   * @default 64
   */
  readonly maxRetired?: number | undefined
  /**
   * Most idle workers of an isolation level kept for the next sandbox.
   *
   * @default 4
   */
  readonly maxIdleWorkers?: number | undefined
  /**
   * Seconds after which an idle worker is ended.
   *
   * @default 30
   */
  readonly idleWorkerTimeout?: number | undefined
  /**
   * The `file:` URL of the built worker entry, for bundled applications in which this package cannot find
   * it: a copy of the file that `strands-shell-runtime/worker` names.
   *
   * @default the entry installed with this package
   */
  readonly workerUrl?: URL | string | undefined
  /**
   * The `file:` URL of the built cell entry, as `workerUrl` is that of the worker's: `strands-shell-runtime/cell`.
   *
   * @default the entry installed with this package
   */
  readonly cellUrl?: URL | string | undefined
}

/** {@link HostOptions} with everything present and valid. */
export interface ResolvedHostOptions extends PlaceBounds {
  readonly isolation: Isolation
  readonly maxQueued: number
  readonly openTimeout: number
  readonly warm: number
  readonly sandboxesPerWorker?: number | undefined
  readonly maxCellMemory: number
  readonly cellBackoff: number
  readonly network?: HostNetwork | undefined
  readonly hardening: Hardening
  readonly maxRunning: number
  readonly quotas?: ResolvedQuotas | undefined
  readonly cellsFor: CellsFor
  readonly idleTimeout?: number | undefined
  readonly maxLifetime?: number | undefined
  readonly hibernate?: HibernateOptions | undefined
  readonly onSaturated: NonNullable<HostOptions['onSaturated']>
  readonly policies: readonly Policy[]
  readonly audit?: AuditSink | undefined
  readonly maxRetired: number
  readonly maxIdleWorkers: number
  readonly idleWorkerTimeout: number
  readonly workerUrl?: URL | undefined
  readonly cellUrl?: URL | undefined
}

/** Every default of a host, in one place. What is undefined is derived, or off. */
export const hostDefaults = {
  isolation: 'process',
  maxSandboxes: undefined,
  maxQueued: 1024,
  openTimeout: 60,
  warm: 0,
  sandboxesPerWorker: undefined,
  sandboxesPerCell: undefined,
  maxCells: undefined,
  maxCellMemory: Math.floor(thisMachine.memory / 4),
  cellBackoff: 5,
  network: undefined,
  hardening: 'auto',
  maxRunning: 8 * thisMachine.cores,
  quotas: undefined,
  cellsFor: 'policy',
  idleTimeout: undefined,
  maxLifetime: undefined,
  hibernate: undefined,
  onSaturated: undefined,
  policy: undefined,
  audit: undefined,
  workerUrl: undefined,
  cellUrl: undefined,
  maxRetired: 64,
  maxIdleWorkers: 4,
  idleWorkerTimeout: 30,
} as const
