import { randomUUID } from 'node:crypto'
import type { JobsOptions, Queue, QueueEvents } from 'bullmq'
import type { Redis } from 'ioredis'
import * as v from 'valibot'
import { clearInterval, setInterval, sleep } from '../../async/clock.ts'
import { interruptible } from '../../async/interruptible.ts'
import { resultOfData } from '../../protocol/result-json.ts'
import { errorOfProblem } from '../../remote/error-of-problem.ts'
import { abortError } from '../../sandbox/abort-error.ts'
import { refuse } from '../../sandbox/arguments.ts'
import { ClusterUnavailableError, SandboxClosedError } from '../../sandbox/errors.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { lossError } from '../../sandbox/loss-error.ts'
import type { ExecutionResult } from '../../sandbox/results.ts'
import { quote } from '../../sandbox/show-value.ts'
import { requirePeer } from '../../tools/require-peer.ts'
import { jobConnection } from './job-connection.ts'
import { type JobData, outcomeSchema, QUEUE } from './job-data.ts'

/** Milliseconds between looks at jobs whose end was not told. */
const lookTime = 5_000

/** Milliseconds that Redis has to take the end of a connection. */
const closeTime = 2_000

/** A job that somebody waits for. */
interface Waiting {
  readonly id: string
  readonly data: JobData
  readonly options: JobsOptions
  readonly resolve: (result: ExecutionResult) => void
  readonly reject: (error: Error) => void
}

/** The queue of jobs of a cluster, as a client has it. */
export class JobQueue {
  readonly #queue: Queue<JobData, unknown, string>
  readonly #events: QueueEvents
  readonly #connections: readonly Redis[]
  readonly #waiting = new Map<string, Waiting>()
  readonly #timer: NodeJS.Timeout
  #isLooking = false

  private constructor(
    queue: Queue<JobData, unknown, string>,
    events: QueueEvents,
    connections: readonly Redis[],
  ) {
    this.#queue = queue
    this.#events = events
    this.#connections = connections
    // Who waits for a job is told.
    queue.on('error', () => undefined)
    events.on('error', () => undefined)
    events.on('completed', ({ jobId, returnvalue }) => this.#completed(jobId, returnvalue))
    events.on('failed', ({ jobId, failedReason }) => this.#failed(jobId, failedReason))
    this.#timer = setInterval(() => void this.#look(), lookTime).unref()
  }

  static async open(redis: string, prefix: string): Promise<JobQueue> {
    const { Queue, QueueEvents } = await requirePeer('bullmq', () => import('bullmq'))
    const [own, waiting] = await Promise.all([jobConnection(redis, false), jobConnection(redis, true)])
    const queue = new Queue<JobData, unknown, string>(QUEUE, { connection: own, prefix })
    const events = new QueueEvents(QUEUE, { connection: waiting, prefix })
    return new JobQueue(queue, events, [own, waiting])
  }

  /** Adds a job, unless there is one with its id, and waits for its result. @throws what its run rejected with */
  async run(
    data: JobData,
    options: JobsOptions,
    named: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ExecutionResult> {
    requireWanted(signal)
    const id = named ?? randomUUID()
    if (this.#waiting.has(id)) throw refuse('id', `${quote(id)} is that of a job that this client waits for.`)
    const ended = new Promise<ExecutionResult>((resolve, reject) => {
      this.#waiting.set(id, { id, data, options, resolve, reject })
    })
    ended.catch(() => undefined) // It is awaited below.
    try {
      await this.#add(id, data, options)
      // It may have ended long ago.
      if (named !== undefined) await this.#lookAt(id)
      return await interruptible(ended, { signal, onAbort: () => abortError(signal) })
    } catch (error) {
      // One that runs goes on; its result goes to nobody.
      if (signal?.aborted === true) await this.#queue.remove(id).catch(() => undefined)
      throw error
    } finally {
      this.#waiting.delete(id)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const { reject } of this.#waiting.values())
      reject(new SandboxClosedError('The client of the cluster was closed. The job goes on.'))
    // Without Redis they do not end by themselves.
    const ended = Promise.allSettled([this.#queue.close(), this.#events.close()])
    await Promise.race([ended, sleep(closeTime, undefined, { ref: false })])
    for (const connection of this.#connections) connection.disconnect()
  }

  async #add(id: string, data: JobData, options: JobsOptions): Promise<void> {
    try {
      await this.#queue.add('run', data, { ...options, jobId: id })
    } catch (cause) {
      throw new ClusterUnavailableError(`The job was not queued: ${errorMessage(cause)}.`, { cause })
    }
  }

  #completed(id: string, value: unknown): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    const { success, output } = v.safeParse(outcomeSchema, typeof value === 'string' ? parsed(value) : value)
    if (!success) waiting.reject(lost('the queue has no result of it'))
    else if ('result' in output) waiting.resolve(resultOfData(output.result))
    else waiting.reject(errorOfProblem(output.problem))
  }

  #failed(id: string, reason: string): void {
    this.#waiting.get(id)?.reject(lost(reason))
  }

  /** Events may be missed. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      for (const id of [...this.#waiting.keys()]) await this.#lookAt(id)
    } catch {
      // Redis is asked again.
    } finally {
      this.#isLooking = false
    }
  }

  async #lookAt(id: string): Promise<void> {
    const job = await this.#queue.getJob(id)
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    // Redis has lost what it had: nobody runs the job.
    if (job === undefined) await this.#add(id, waiting.data, waiting.options)
    else if (job.finishedOn !== undefined && job.failedReason) this.#failed(id, job.failedReason)
    else if (job.finishedOn !== undefined) this.#completed(id, job.returnvalue)
  }
}

/** @throws {SandboxAbortError} where the signal fired before anything was sent */
function requireWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // It is none of ours.
    return undefined
  }
}

function lost(reason: string): Error {
  const message = `The job has no result: ${reason}.`
  return lossError({ code: 'NODE_LOST', message }, message)
}
