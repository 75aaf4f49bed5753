import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClusterClient } from '../../src/cluster/index.ts'
import { RemoteSandbox } from '../../src/remote/index.ts'
import { type RedisProcess, startRedis } from '../../test/cluster/redis-process.ts'
import { processorTime } from '../processor-time.ts'
import { residentMemory } from '../resident.ts'
import { ratioOf, type Summary, summarize } from '../statistics.ts'
import { RedisCommands } from './redis-commands.ts'
import { type Server, startServer } from './servers.ts'
import { type Callers, callAll, inTurns, processorOf, type Turn } from './turns.ts'

/** The token of every server of the bench. */
export const token = 'a-token-of-the-bench'
/** Sandboxes that call at once, and how many are opened at once. */
const clients = { calling: 64, opening: 16 }
/** Calls before the ones that count, and milliseconds that they may take in a full run. */
const warmUp = { calls: 5000, milliseconds: 8000 }
/** Milliseconds of a turn, and turns of each kind in a full run. */
const turn = { milliseconds: 250, rounds: 24 }

/** Seconds: no call is given up here. */
const patient = { patience: 120, silence: 120 }

const nothing = () => 'true'
/** Changes a file, another content each time. */
const change = (call: number) => `echo ${call} > file`

/** What is measured of a shell, by name. */
export type ClusterFigures = Readonly<Record<string, number>>

/** Starts Redis, a service and a node, and measures calls of their sandboxes from this process. */
export async function measureCluster(shell: string, effort: number): Promise<ClusterFigures> {
  const data = await mkdtemp(join(tmpdir(), 'bench-cluster-'))
  const redis = await startRedis()
  const servers: Server[] = []
  const start = async (...words: readonly string[]) => {
    const server = await startServer(...words)
    servers.push(server)
    return server
  }
  const cluster = await ClusterClient.connect({ redis: redis.url, token, ...patient })
  try {
    const service = await start('serve', shell, join(data, 'service'))
    const startNode = () => start('node', shell, join(data, 'cluster'), redis.url)
    return await new ClusterBench(redis, cluster, data, effort).run(service, startNode)
  } finally {
    await cluster.close()
    await Promise.all(servers.map((server) => server.end()))
    await redis.stop()
    await rm(data, { recursive: true, force: true })
  }
}

class ClusterBench {
  readonly #redis: RedisProcess
  readonly #cluster: ClusterClient
  readonly #data: string
  readonly #rounds: number
  /** Milliseconds. */
  readonly #warmUp: number

  constructor(redis: RedisProcess, cluster: ClusterClient, data: string, effort: number) {
    this.#redis = redis
    this.#cluster = cluster
    this.#data = data
    this.#rounds = Math.max(2, Math.ceil(turn.rounds * effort))
    this.#warmUp = warmUp.milliseconds * effort
  }

  async run(service: Server, startNode: () => Promise<Server>): Promise<ClusterFigures> {
    const node = await startNode()
    const served = await openAll(service, (id) =>
      RemoteSandbox.getOrOpen(id, {}, { url: service.url, token }),
    )
    const { clustered, ...opened } = await this.#open(node)
    const calls = await this.#calls(served, clustered)
    const changes = await this.#changes(clustered)
    return { ...opened, ...calls, ...changes, ...(await this.#takeUp(clustered, node, startNode)) }
  }

  /** Opens sandboxes on the node, and looks at what they take. */
  async #open(node: Server) {
    const before = residentMemory(node.pid)
    const {
      perSecond: opened,
      processor: openedProcessor,
      ...clustered
    } = await openAll(node, (id) => this.#cluster.getOrOpen(id))
    const { length } = clustered.sandboxes
    for (const sandbox of clustered.sandboxes) await sandbox.execute(change(0))
    // One more was opened before them.
    const memory = (residentMemory(node.pid) - before) / (length + 1)
    const stored = (await bytesIn(join(this.#data, 'cluster/sessions'))) / 1024 / length
    return { clustered, opened, openedProcessor, idle: before, memory, stored }
  }

  /** `true` through the service and through the cluster: one client, then many. */
  async #calls(served: Callers, clustered: Callers): Promise<ClusterFigures> {
    const counted = new RedisCommands(this.#redis.redis)
    let calls = 0
    const compare = (count: number) =>
      inTurns(this.#rounds, [
        () => callAll(some(served, count), nothing, turn.milliseconds),
        async () => {
          const done = await counted.during(() => callAll(some(clustered, count), nothing, turn.milliseconds))
          calls += done.times.length
          return done
        },
      ])
    const warm = async (count: number) => {
      for (const callers of [served, clustered])
        await callAll(some(callers, count), nothing, this.#warmUp, warmUp.calls)
    }
    await warm(1)
    const [serveOne, clusterOne] = await compare(1)
    await warm(clients.calling)
    const [serveMany, clusterMany] = await compare(clients.calling)
    const idle = new RedisCommands(this.#redis.redis)
    await idle.during(() => sleep(counted.seconds * 1000))
    const [processor, processorBaseline] = [processorOf(clusterMany), processorOf(serveMany)]
    return {
      ...compared('one', timesOf(clusterOne), timesOf(serveOne)),
      ...compared('many', ratesOf(clusterMany), ratesOf(serveMany)),
      processor,
      processorBaseline,
      processorRatio: processor / processorBaseline,
      commands: Math.max(0, counted.without(idle)) / calls,
    }
  }

  /** What it costs that a call is answered when the store has what it changed. */
  async #changes(clustered: Callers): Promise<ClusterFigures> {
    const { pid } = clustered
    const never = { pid, sandboxes: [await this.#cluster.getOrOpen('never', { template: 'never' })] }
    const stored = some(clustered, 1)
    for (const callers of [never, stored]) await callAll(callers, change, this.#warmUp / 4, warmUp.calls)
    const [without, withStore] = await inTurns(this.#rounds, [
      () => callAll(never, change, turn.milliseconds),
      () => callAll(stored, change, turn.milliseconds),
    ])
    const [many] = await inTurns(Math.ceil(this.#rounds / 2), [
      () => callAll(clustered, change, turn.milliseconds),
    ])
    return {
      ...compared('change', timesOf(withStore), timesOf(without)),
      changesPerSecond: ratesOf(many).median,
      changesProcessor: processorOf(many),
    }
  }

  /** The node leaves, and another one takes up what it had. */
  async #takeUp(
    { sandboxes }: Callers,
    node: Server,
    startNode: () => Promise<Server>,
  ): Promise<ClusterFigures> {
    const { pid } = await startNode()
    await node.end()
    const waiting = [...sandboxes]
    const processorBefore = processorTime(pid)
    const start = performance.now()
    await Promise.all(
      Array.from({ length: clients.opening }, async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          const { exitCode } = await next.execute('test -s file')
          if (exitCode !== 0) throw new Error('A session was taken up without its file.')
        }
      }),
    )
    return {
      takenUp: sandboxes.length / ((performance.now() - start) / 1000),
      takenUpProcessor: ((processorTime(pid) - processorBefore) * 1000) / sandboxes.length,
    }
  }
}

/** Opens sandboxes, some at once; the first one before the others. */
async function openAll({ pid }: Server, open: (id: string) => Promise<RemoteSandbox>) {
  await open('first')
  const processorBefore = processorTime(pid)
  const start = performance.now()
  const sandboxes: RemoteSandbox[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: clients.opening }, async () => {
      while (next < clients.calling) sandboxes.push(await open(`session-${next++}`))
    }),
  )
  const perSecond = sandboxes.length / ((performance.now() - start) / 1000)
  const processor = ((processorTime(pid) - processorBefore) * 1000) / sandboxes.length
  return { pid, sandboxes, perSecond, processor }
}

/** The first ones of some callers. */
function some({ pid, sandboxes }: Callers, count: number): Callers {
  return { pid, sandboxes: sandboxes.slice(0, count) }
}

function timesOf(turns: readonly Turn[]) {
  return summarize(turns.map(({ times }) => times))
}

function ratesOf(turns: readonly Turn[]) {
  return summarize(
    turns.map(({ perSecond }) => [perSecond]),
    'more',
  )
}

/** The figures of one way, and those of what it is compared with. */
function compared(name: string, ours: Summary, baseline: Summary): ClusterFigures {
  return {
    [name]: ours.median,
    [`${name}Baseline`]: baseline.median,
    [`${name}Ratio`]: ratioOf(ours, baseline),
    [`${name}P99`]: ours.p99,
    [`${name}BaselineP99`]: baseline.p99,
  }
}

/** The bytes of all files in a directory. */
async function bytesIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
