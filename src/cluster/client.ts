import { withEither } from '../async/either-signal.ts'
import type { Labels } from '../host/event-data.ts'
import { type RemoteConfig, resolveRemoteConfig } from '../remote/options.ts'
import { RemoteCalls } from '../remote/remote-calls.ts'
import { RemoteSandbox } from '../remote/remote-sandbox.ts'
import { refuse } from '../sandbox/arguments.ts'
import { optionsOf, within } from '../sandbox/options-of.ts'
import type { ExecutionResult } from '../sandbox/results.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { knownError, type MapOptions, type MapResult, mapRuns } from '../shell-host/map-runs.ts'
import { ClusterConnection } from './cluster-connection.ts'
import { type ClusterJob, type ClusterJobOptions, resolveJob } from './jobs/job-options.ts'
import { JobQueue } from './jobs/job-queue.ts'
import { requireNodeLabels } from './node-options.ts'
import { Owners } from './owners.ts'
import { requireClusterName, requireRedis } from './redis-options.ts'
import { type Located, type NodeInfo, Registry } from './registry.ts'

/** Seconds that Redis has for a command. */
const redisTime = 2

/** Where a cluster is, and how it is reached. */
export interface ClusterClientOptions {
  /** The address of its Redis. Its password appears in no error. */
  readonly redis: string
  /** The bearer token of its nodes. It appears in no error. */
  readonly token: string
  /**
   * The name of the cluster.
   *
   * @default 'default'
   */
  readonly cluster?: string | undefined
  /**
   * Seconds for which a call that has not begun looks for a node that has its session, or takes it up, from 1 to 300. Longer than the
   * `lease` of nodes.
   *
   * @default 9
   */
  readonly patience?: number | undefined
  /**
   * Seconds after which a node that answers nothing is taken for lost by the calls that it has, from 1 to 300.
   *
   * @default 5
   */
  readonly silence?: number | undefined
}

/** Which session a cluster opens. */
export interface ClusterConfig extends Omit<RemoteConfig, 'id'> {
  /**
   * Labels that its node must have, such as `{ zone: 'a' }`.
   *
   * @default {} (any node)
   */
  readonly on?: Labels | undefined
}

/** How far a map is. */
export interface MapProgress {
  /** Jobs that have ended, those that failed among them. */
  readonly done: number
  /** Jobs that have rejected. */
  readonly failed: number
}

/** How many jobs are in the queue at once, and in which order their results come. */
export interface ClusterMapOptions extends MapOptions {
  /**
   * Called when a job has ended.
   *
   * @default nothing
   */
  readonly onProgress?: ((progress: MapProgress) => void) | undefined
}

/** A session of a cluster. */
export interface ClusterSession {
  /** What it is known by. */
  readonly id: string
  /** The node that has it; undefined where none has it: it is stored. */
  readonly owner: Located | undefined
}

/** Uses the sessions of a cluster (docs/cluster.md), whichever node has them. */
export class ClusterClient implements AsyncDisposable {
  readonly #redis: string
  readonly #registry: Registry
  readonly #owners: Owners
  #jobs: Promise<JobQueue> | undefined

  private constructor(redis: string, registry: Registry, owners: Owners) {
    this.#redis = redis
    this.#registry = registry
    this.#owners = owners
  }

  /**
   * Connects to a cluster. It needs the package `ioredis`. {@link ClusterClient.close | Close} it: its connection keeps the process alive.
   *
   * @throws {SandboxConfigError} naming the option that is not valid; never a token or a password
   */
  static async connect(options: ClusterClientOptions): Promise<ClusterClient> {
    const {
      redis,
      token,
      cluster,
      patience = 9,
      silence = 5,
    } = optionsOf<ClusterClientOptions>(options, ['redis', 'token', 'cluster', 'patience', 'silence'])
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      throw refuse('token', `must be visible ASCII characters without spaces, but is ${kindOf(token)}.`)
    const seconds = { least: 1, most: 300, unit: 'seconds' }
    const times = {
      patience: within('patience', patience, seconds) * 1000,
      silence: within('silence', silence, seconds) * 1000,
    }
    const address = requireRedis(redis)
    const registry = await Registry.open(address, requireClusterName(cluster), redisTime)
    return new ClusterClient(address, registry, new Owners({ registry, token, ...times }))
  }

  /**
   * The session with an id, opened where there is none on the node with the fewest sessions. Its calls find the node that has it then.
   *
   * A call that has begun on a node that is lost rejects with `WORKER_LOST`, cause `NODE_LOST`; the next one goes on from the last
   * checkpoint, on another node. A call that has not begun waits until a node takes the session up.
   *
   * @throws {SandboxConfigError} naming the field that is not valid, and where the session is of another template
   * @throws {ClusterUnavailableError} where no node takes it in time
   * @throws {HostSaturatedError} where its node has no place for it
   */
  async getOrOpen(id: string, config: ClusterConfig = {}): Promise<RemoteSandbox> {
    if (typeof id !== 'string' || id === '') throw refuse('id', `must be a text, but is ${kindOf(id)}.`)
    const { on: labels = {}, ...rest } = optionsOf<ClusterConfig>(
      config,
      ['template', 'labels', 'on'],
      'config',
    )
    const on = requireNodeLabels('on', labels)
    await this.#owners.find(id, { on, body: JSON.stringify(resolveRemoteConfig(rest)) })
    const calls = new RemoteCalls(new ClusterConnection(this.#owners, on), this.#owners.patience / 1000)
    return RemoteSandbox.over(calls, id)
  }

  /**
   * Moves a session to another node: calls under way end first, for as long as the grace of its node lasts.
   *
   * @returns who has it then
   * @throws {ClusterUnavailableError} where no other node takes it in time: the next call looks for one again
   * @throws {SandboxClosedError} where there is no such session
   */
  async move(id: string, { on = {} }: Pick<ClusterConfig, 'on'> = {}): Promise<Located> {
    const labels = requireNodeLabels('on', on)
    const located = await this.#registry.locate(id)
    if (located !== undefined) await this.#owners.release(id, located.url)
    const { instance, fence, connection } = await this.#owners.find(id, {
      on: labels,
      not: located?.instance,
    })
    return { instance, fence, url: connection.url.replace(/\/$/, '') }
  }

  /**
   * Runs one command in a fresh sandbox, on any node: a job of the queue. It needs the package `bullmq`. Its result is given once, also where
   * several attempts were made.
   *
   * @throws {SandboxConfigError} naming the field that is not valid
   * @throws {ClusterUnavailableError} where it could not be queued
   * @throws {WorkerLostError} where each of its nodes was lost
   * @throws what the run of its command rejected with
   */
  async run(command: string, options: ClusterJobOptions = {}): Promise<ExecutionResult> {
    const { data, options: how, id, signal } = resolveJob({ ...options, command })
    return (await this.#queue()).run(data, how, id, signal)
  }

  /**
   * Runs many commands, each in a fresh sandbox, on all nodes. `concurrency` (default: 8) of them are in the queue at once, no more than their results are
   * taken. One that rejects is a result with the status `'rejected'`.
   *
   * @throws {SandboxConfigError} for a concurrency that is not valid
   */
  map(
    jobs: Iterable<ClusterJob> | AsyncIterable<ClusterJob>,
    options: ClusterMapOptions = {},
  ): AsyncGenerator<MapResult, void> {
    const { onProgress, ...order } = options
    const progress = { done: 0, failed: 0 }
    const run = async ({ command, signal: own, ...rest }: ClusterJob, stop: AbortSignal) => {
      try {
        if (own === undefined) return await this.run(command, { ...rest, signal: stop })
        return await withEither([own, stop], (signal) => this.run(command, { ...rest, signal }))
      } catch (error) {
        progress.failed += 1
        throw error
      } finally {
        progress.done += 1
        onProgress?.({ ...progress })
      }
    }
    return mapRuns(jobs, run, knownError, order)
  }

  /** The sessions that a node has or had, in no order. @throws {ClusterUnavailableError} */
  async *list(): AsyncGenerator<ClusterSession, void> {
    for await (const ids of this.#registry.ids()) {
      const owners = await Promise.all(ids.map((id) => this.#registry.locate(id)))
      for (const [at, id] of ids.entries()) yield { id, owner: owners[at] }
    }
  }

  /** The nodes whose lease lasts. @throws {ClusterUnavailableError} */
  nodes(): Promise<readonly NodeInfo[]> {
    return this.#registry.nodes()
  }

  /** Lets go of the connection to Redis. Sessions stay open. */
  async close(): Promise<void> {
    this.#registry.close()
    const jobs = this.#jobs
    this.#jobs = undefined
    await (await jobs)?.close()
  }

  /** The same as {@link ClusterClient.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #queue(): Promise<JobQueue> {
    this.#jobs ??= JobQueue.open(this.#redis, this.#registry.keys.jobs)
    return this.#jobs
  }
}
