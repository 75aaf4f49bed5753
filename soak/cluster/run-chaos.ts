import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { interruptible } from '../../src/async/interruptible.ts'
import { ClusterClient } from '../../src/cluster/index.ts'
import type { RemoteSandbox } from '../../src/remote/index.ts'
import { startRedis } from '../../test/cluster/redis-process.ts'
import { Random } from '../random.ts'
import { demandSame, Violation } from '../violation.ts'
import { runBatch } from './batch.ts'
import { Calls } from './calls.ts'
import { Counter } from './counter.ts'
import { commandsIn, requireOneAtATime } from './fences.ts'
import { Fleet } from './fleet.ts'
import type { ChaosOptions } from './options.ts'

const token = 'the-token-of-the-chaos'
/** Seconds of a call: one that has begun on a node without processor time left ends then. */
const timeout = 10
/** Milliseconds for which a session is asked for its file at the end. */
const lastTime = 120_000
/** Seconds that the jobs may take longer than the chaos. */
const jobTime = 600
/** Sessions are of both shells. What a call has changed is in the store when it is answered. */
const templates = {
  bash: { shell: 'bash', checkpoint: 'call' },
  strands: { shell: 'strands', checkpoint: 'call' },
  default: { shell: 'bash' },
} as const

/** A session, and what its file must have. */
interface Session {
  readonly id: string
  readonly template: 'bash' | 'strands'
  readonly counter: Counter
  sandbox: RemoteSandbox | undefined
  isBusy: boolean
}

/** What a chaos has come to. */
export interface ChaosReport {
  readonly calls: Calls
  readonly faults: Fleet['counts']
  readonly sessions: number
  readonly fences: number
  /** Calls that were answered, and those of them that the audit logs have. */
  readonly answered: number
  readonly found: number
  readonly jobs: number
}

/** Runs calls and jobs on a cluster whose nodes are killed and stopped. @throws {Violation} where a promise is broken */
export async function runChaos(options: ChaosOptions, tell: (line: string) => void): Promise<ChaosReport> {
  const redis = await startRedis()
  const data = await mkdtemp(join(tmpdir(), 'chaos-'))
  const { isolation } = options
  const fleet = new Fleet({
    options: {
      redis: redis.url,
      data: join(data, 'shared'),
      tokens: [{ token, name: 'chaos' }],
      templates,
      isolation,
    },
    random: new Random(options.seed, 'faults'),
    auditOf: (process) => join(data, `${process}.audit`),
  })
  const client = await ClusterClient.connect({ redis: redis.url, token })
  try {
    await fleet.start(options.nodes)
    const report = await new Chaos(options, client, fleet, data, tell).run()
    await fleet.end()
    await rm(data, { recursive: true, force: true, maxRetries: 10 })
    return report
  } catch (error) {
    tell(`The audit logs are in ${data}.`)
    throw error
  } finally {
    await fleet.end()
    await client.close()
    await redis.stop()
  }
}

class Chaos {
  readonly #options: ChaosOptions
  readonly #client: ClusterClient
  readonly #fleet: Fleet
  readonly #data: string
  readonly #tell: (line: string) => void
  readonly #calls = new Calls()
  readonly #random: Random
  readonly #sessions: readonly Session[]
  readonly #acknowledged = new Set<string>()
  /** Fires at the end, and at the first violation. */
  readonly #stop = new AbortController()
  readonly #failed = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #made = 0

  constructor(
    options: ChaosOptions,
    client: ClusterClient,
    fleet: Fleet,
    data: string,
    tell: (line: string) => void,
  ) {
    this.#options = options
    this.#client = client
    this.#fleet = fleet
    this.#data = data
    this.#tell = tell
    this.#random = new Random(options.seed, 'calls')
    this.#sessions = Array.from({ length: options.sessions }, (_, at) => {
      const id = `session-${at}`
      const template = at % 2 === 0 ? 'bash' : 'strands'
      return { id, template, counter: new Counter(id), sandbox: undefined, isBusy: false }
    })
  }

  async run(): Promise<ChaosReport> {
    const { minutes, every, jobs } = this.#options
    const seconds = minutes * 60
    const end = setTimeout(() => this.#stop.abort(), seconds * 1000)
    const parts = [
      this.#fleet.disturb(every, this.#stop.signal),
      this.#call(),
      this.#report(),
      this.#guard(async () => {
        const stop = this.#failed.signal
        const batch = runBatch(this.#client, { count: jobs, seconds: seconds * 0.8, stop })
        const done = await interruptible(batch, {
          seconds: seconds + jobTime,
          onTimeout: () => new Violation('Jobs have no result.'),
        })
        this.#tell(`${done} jobs have their results.`)
      }),
    ]
    await Promise.all(parts)
    clearTimeout(end)
    await Promise.all(this.#running)
    this.#failed.signal.throwIfAborted()
    await this.#fleet.mended()
    // What is there now is what the store has.
    await this.#fleet.replace()
    const opened = this.#sessions.filter(({ sandbox }) => sandbox !== undefined)
    for (const session of opened) session.counter.read(await this.#read(session))
    const { counts: faults } = this.#fleet
    return {
      calls: this.#calls,
      faults,
      sessions: opened.length,
      answered: this.#acknowledged.size,
      ...(await this.#fences()),
      jobs,
    }
  }

  /** Makes calls at their rate; a session has one at a time. */
  async #call(): Promise<void> {
    const start = performance.now()
    while (!this.#stop.signal.aborted) {
      this.#made += 1
      const early = start + (this.#made * 1000) / this.#options.rate - performance.now()
      if (early > 0) await sleep(early)
      const session = this.#sessions[this.#random.below(this.#sessions.length)]
      if (session === undefined || session.isBusy) continue
      session.isBusy = true
      const call = this.#guard(() => this.#count(session, `call-${this.#made}`)).finally(() => {
        session.isBusy = false
        this.#running.delete(call)
      })
      this.#running.add(call)
    }
  }

  async #count(session: Session, call: string): Promise<void> {
    const { id, template, counter } = session
    if (session.sandbox === undefined) {
      const opened = await this.#calls.make(`getOrOpen of ${id}`, () =>
        this.#client.getOrOpen(id, { template }),
      )
      if (!('value' in opened)) return
      session.sandbox = opened.value
    }
    const { sandbox } = session
    // In one step, wherever its timeout stops it.
    const command = `: ${call}; echo $(( $(cat n 2>/dev/null || echo 0) + 1 )) > next && mv next n && cat n`
    const end = await this.#calls.make(`${call} of ${id}`, () => sandbox.execute(command, { timeout }))
    if ('value' in end) {
      counter.counted(numberIn(end.value.stdout))
      this.#acknowledged.add(call)
    } else if (end.started) counter.mayHaveCounted()
  }

  /** The number in the file of a session. The first call after a fault may be lost. */
  async #read({ id, sandbox }: Session): Promise<number> {
    const until = performance.now() + lastTime
    for (;;) {
      const end = await this.#calls.make(`the last call of ${id}`, async () =>
        sandbox?.execute('cat n || echo 0', { timeout }),
      )
      if ('value' in end && end.value !== undefined) return numberIn(end.value.stdout)
      if (performance.now() > until) throw new Error(`${id} cannot be read any more.`)
    }
  }

  /** How many fences the audit logs have. @throws {Violation} where a session ran on two nodes at once */
  async #fences(): Promise<Pick<ChaosReport, 'fences' | 'found'>> {
    // Lines are written after 50 ms.
    await sleep(500)
    const logs = (await readdir(this.#data)).filter((name) => /\.audit/.test(name))
    const commands = await Promise.all(
      logs.map(async (name) =>
        commandsIn(name.split('.')[0] ?? name, await readFile(join(this.#data, name), 'utf8')),
      ),
    )
    return requireOneAtATime(commands.flat(), this.#acknowledged)
  }

  async #report(): Promise<void> {
    const start = performance.now()
    while (!this.#stop.signal.aborted) {
      await sleep(30_000, undefined, { signal: this.#stop.signal }).catch(() => undefined) // It is over.
      const at = Math.round((performance.now() - start) / 1000)
      const slowest = this.#calls.secondsOf(1).toFixed(1)
      this.#tell(
        `${at} s: ${this.#calls.count} calls, the slowest ${slowest} s, ${this.#fleet.counts.killed} kills`,
      )
    }
  }

  /** The first violation ends the chaos. */
  async #guard(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.#failed.abort(error)
      this.#stop.abort()
    }
  }
}

function numberIn(output: string): number {
  demandSame(/^\d+\n$/.test(output), true, `Whether ${JSON.stringify(output)} is a number`)
  return Number(output)
}
