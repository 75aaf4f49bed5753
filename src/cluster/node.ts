import { randomUUID } from 'node:crypto'
import { sleep } from '../async/clock.ts'
import type { EngineName } from '../contract/lease.ts'
import { resolveServeOptions } from '../service/resolve-options.ts'
import { type Service, type SharedService, startService } from '../service/serve.ts'
import { ShellHost } from '../shell-host/shell-host.ts'
import { FencedStore } from './fenced-store.ts'
import { JobWorker } from './jobs/job-worker.ts'
import { NodeLease } from './node-lease.ts'
import { type ClusterNodeOptions, type ResolvedNodeOptions, resolveNodeOptions } from './node-options.ts'
import { NodeOwnership } from './node-ownership.ts'
import { OwnedRecords } from './owned-records.ts'
import { Registry } from './registry.ts'

/** Seconds that the service has to end what is left when its sessions are handed over. */
const lastGrace = 1
/** Milliseconds for which a node whose sessions are handed over says so: a call that finds its connection closed may have run. */
const lingering = 500

/** A service that is a node of a cluster. */
export interface ClusterNode extends Service {
  /** Sessions that it has. */
  readonly sessions: number
  /** Whether it can answer for its sessions: its lease lasts. */
  readonly isServing: boolean
}

/**
 * Starts a node of a cluster: a service (docs/serve.md) whose sandboxes other nodes take up where it ends (docs/cluster.md). It
 * needs the packages `ioredis`, `bullmq`, and those of a service. `close()` hands its sessions over, and waits `grace` seconds for calls
 * under way.
 *
 * @throws {SandboxConfigError} naming the option that is not valid; never a token or a password
 * @throws {ClusterUnavailableError} where Redis cannot be reached
 */
export async function clusterNode(options: ClusterNodeOptions): Promise<ClusterNode> {
  const resolved = resolveNodeOptions(options)
  const service = resolveServeOptions(resolved.service)
  // A renewal that fails leaves time for another one.
  const registry = await Registry.open(resolved.redis, resolved.cluster, resolved.lease / 3)
  const node = new Node(resolved, registry)
  try {
    await node.start(service)
    return node
  } catch (error) {
    await node.close({ grace: 0 })
    throw error
  }
}

class Node implements ClusterNode {
  readonly instance = randomUUID()
  readonly host: ShellHost<EngineName>
  readonly #options: ResolvedNodeOptions
  readonly #registry: Registry
  readonly #lease: NodeLease
  readonly #ownership: NodeOwnership
  readonly #store: FencedStore
  #service: SharedService | undefined
  #jobs: JobWorker | undefined
  #closing: Promise<void> | undefined

  constructor(options: ResolvedNodeOptions, registry: Registry) {
    const { store, records, grace, hostOptions, hibernateAfter } = options
    const { log = () => undefined } = options.service
    const milliseconds = options.lease * 1000
    this.#options = options
    this.#registry = registry
    this.#store = new FencedStore(store, (id) => this.#ownership.fenceOf(id))
    this.#lease = new NodeLease({
      milliseconds,
      renew: () => this.#renew(milliseconds),
      reclaim: async () => {
        const { held } = this.#ownership
        this.#ownership.drop(await registry.reclaim(this.instance, this.url, held))
      },
      onGone: () => this.#ownership.drop(),
      log,
    })
    this.#ownership = new NodeOwnership({
      instance: this.instance,
      url: () => this.url,
      milliseconds,
      registry,
      lease: this.#lease,
      store: this.#store,
      isKept: async (id) => (await records.get(id)) !== undefined,
      hibernate: async (id) => {
        await this.host.get(id)?.hibernate()
      },
      letGo: async (id) => this.#service?.letGo(id),
      grace,
      log,
    })
    this.host = new ShellHost<EngineName>({
      ...hostOptions,
      hibernate: { store: this.#store, after: hibernateAfter },
    })
  }

  get url(): string {
    return this.#options.advertise?.href.replace(/\/$/, '') ?? this.#service?.url ?? ''
  }

  get sessions(): number {
    return this.#ownership.size
  }

  get isServing(): boolean {
    return this.#lease.isHeld
  }

  async start(service: ReturnType<typeof resolveServeOptions>): Promise<void> {
    const { host } = this
    const store = this.#store
    const records = new OwnedRecords(this.#options.records, (id) => this.#ownership.fenceOf(id) !== undefined)
    this.#service = await startService(
      { ...service, places: () => ({ host, ownsHost: true, store, records }) },
      { instance: this.instance, ownership: this.#ownership },
    )
    await this.#lease.start()
    const { redis, jobConcurrency: concurrency, lease, service: given } = this.#options
    if (concurrency === 0) return
    const { log = () => undefined } = given
    this.#jobs = await JobWorker.start({
      redis,
      prefix: this.#registry.keys.jobs,
      host,
      templates: service.templates,
      concurrency,
      lockDuration: 2 * lease * 1000,
      log,
    })
  }

  close({ grace }: { readonly grace?: number | undefined } = {}): Promise<void> {
    this.#closing ??= this.#close(grace)
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(grace: number | undefined): Promise<void> {
    try {
      const { size } = this.#ownership
      await Promise.all([this.#ownership.drain(grace), this.#jobs?.close(grace ?? this.#options.grace)])
      if (size > 0) await sleep(lingering)
    } finally {
      if (this.#service === undefined) await this.host.close()
      else await this.#service.close({ grace: lastGrace })
      this.#lease.stop()
      // Its lease ends in any case.
      await this.#registry.leave(this.instance).catch(() => undefined)
      this.#registry.close()
    }
  }

  #renew(milliseconds: number): Promise<boolean> {
    const { load, isDraining } = this.#ownership
    const fields = {
      url: this.url,
      labels: this.#options.nodeLabels,
      sessions: load,
      jobs: this.#jobs?.running ?? 0,
      draining: isDraining,
    }
    return this.#registry.renew(this.instance, fields, milliseconds)
  }
}
