import type { Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import * as v from 'valibot'
import { sleep } from '../../async/clock.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { EngineName } from '../../contract/lease.ts'
import { resultSchema } from '../../protocol/execution-schemas.ts'
import { resultJson } from '../../protocol/result-json.ts'
import { SandboxLimitError } from '../../sandbox/errors.ts'
import { isSandboxError } from '../../sandbox/known-error.ts'
import { internalProblem, problemFor } from '../../service/service-problem.ts'
import type { Templates } from '../../service/templates.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import { requirePeer } from '../../tools/require-peer.ts'
import { jobConnection } from './job-connection.ts'
import { type JobData, type JobOutcome, jobSchema, QUEUE } from './job-data.ts'

/** Times that a job may lose its node. */
const mostStalls = 10
/** Bytes of a result, as JSON. */
const mostResultBytes = 4 * 2 ** 20

/** Milliseconds that Redis has to take the end of a worker. */
const closeTime = 2_000

/** Errors that another attempt may not meet. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'WORKER_LOST',
  'HOST_SATURATED',
  'CLOSED',
  'CONNECTION_FAILED',
  'CLUSTER_UNAVAILABLE',
])

interface JobWorkerParts {
  readonly redis: string
  /** What the keys of the queue begin with. */
  readonly prefix: string
  readonly host: ShellHost<EngineName>
  readonly templates: Templates
  readonly concurrency: number
  /** Milliseconds after which the job of a silent node is another one's. */
  readonly lockDuration: number
  readonly log: (line: string) => void
}

/** Runs jobs of a cluster, each in a sandbox of its own. */
export class JobWorker {
  readonly #worker: Worker<unknown, JobOutcome>
  readonly #connection: Redis
  #running = 0

  private constructor(
    worker: (run: (job: Job) => Promise<JobOutcome>) => Worker<unknown, JobOutcome>,
    connection: Redis,
    parts: JobWorkerParts,
  ) {
    this.#connection = connection
    this.#worker = worker(async (job) => {
      this.#running += 1
      try {
        return await attempt(job, parts)
      } finally {
        this.#running -= 1
      }
    })
    this.#worker.on('error', (error) => parts.log(`The queue of jobs: ${error.message}`))
  }

  static async start(parts: JobWorkerParts): Promise<JobWorker> {
    const { Worker } = await requirePeer('bullmq', () => import('bullmq'))
    const connection = await jobConnection(parts.redis, true)
    const { lockDuration } = parts
    const options = {
      connection,
      prefix: parts.prefix,
      concurrency: parts.concurrency,
      lockDuration,
      stalledInterval: lockDuration / 2,
      maxStalledCount: mostStalls,
    }
    return new JobWorker((run) => new Worker<unknown, JobOutcome>(QUEUE, run, options), connection, parts)
  }

  /** Jobs that run now. */
  get running(): number {
    return this.#running
  }

  /** Takes no job any more. Those that run have some seconds; another node runs the others again. */
  async close(seconds: number): Promise<void> {
    const ended = this.#worker.close()
    await Promise.race([ended, sleep(seconds * 1000, undefined, { ref: false })])
    // Without Redis it does not end by itself.
    if (this.#running > 0)
      await Promise.race([this.#worker.close(true), sleep(closeTime, undefined, { ref: false })])
    this.#connection.disconnect()
  }
}

/** One attempt of a job. @throws what another attempt may not meet, where there is one left */
async function attempt(job: Job, { host, templates }: JobWorkerParts): Promise<JobOutcome> {
  try {
    return await runJob(v.parse(jobSchema, job.data), host, templates)
  } catch (error) {
    const isLast = job.attemptsMade + 1 >= (job.opts.attempts ?? 1)
    const isPassing = isSandboxError(error) ? passing.has(error.code) : false
    if (isPassing && !isLast) throw error
    return { problem: problemFor(error)?.problem ?? internalProblem() }
  }
}

async function runJob(
  { command, template, files, stdin, collect, timeout }: JobData,
  host: ShellHost<EngineName>,
  templates: Templates,
): Promise<JobOutcome> {
  const config = templates.get(template)
  const result = await host.run<EngineName>(command, {
    ...config,
    ...(files === undefined ? {} : { files: { ...config.files, ...files } }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(collect === undefined ? {} : { collect }),
    ...(timeout === undefined ? {} : { timeout }),
  })
  const json = resultJson(result)
  if (Buffer.byteLength(json) > mostResultBytes)
    throw new SandboxLimitError(
      `The result of a job may have ${mostResultBytes} bytes as JSON. Print less, or collect smaller files.`,
      { limit: 'jobResult', value: mostResultBytes },
    )
  return { result: v.parse(resultSchema, JSON.parse(json)) }
}
