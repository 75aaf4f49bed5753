import type { EngineName } from '../contract/lease.ts'
import { type MapResult, mapRuns } from '../shell-host/map-runs.ts'
import { ShellHost } from '../shell-host/shell-host.ts'
import { type JobSource, openJobs } from './batch/input.ts'
import { Job } from './batch/job.ts'
import { onHost } from './batch/on-host.ts'
import { noProgress, type Progress, progressBar } from './batch/progress.ts'
import type { PrepareJob } from './batch/read-job.ts'
import { EXIT } from './exit-codes.ts'
import { PROGRAM, usageError } from './failure.ts'
import { requireEngine } from './options/require-engine.ts'
import {
  asSandboxConfig,
  type CliConfig,
  configOf,
  inDirectory,
  inTermsOfOptions,
  isolationOf,
} from './options/sandbox-config.ts'
import type { SandboxOptions } from './options/sandbox-options.ts'
import type { Outputs } from './output.ts'
import { type EndRecord, errorRecord, resultRecord } from './records.ts'
import { serverFailure } from './server-failure.ts'

/** The options of `batch`, as commander hands them over. */
export interface BatchOptions extends SandboxOptions {
  readonly cwd?: string
  readonly concurrency?: number
  readonly unordered?: boolean
  readonly strict?: boolean
  readonly progress: boolean
  /** The address of the Redis of a cluster, whose nodes run the jobs. */
  readonly cluster?: string
  readonly clusterName?: string
  readonly template?: string
}

/** Where the jobs of a batch run. */
interface Place {
  readonly prepare: PrepareJob
  close(): Promise<void>
}

/** Runs jobs, each in a sandbox of its own, and prints their results; gives the exit code. */
export async function batch(path: string, options: BatchOptions, outputs: Outputs): Promise<number> {
  const place =
    options.cluster === undefined ? await placeHere(options) : await placeOf(options, options.cluster)
  try {
    return await run(await openJobs(path, place.prepare), options, outputs)
  } finally {
    await place.close()
  }
}

async function run(source: JobSource, options: BatchOptions, outputs: Outputs): Promise<number> {
  const shows = options.progress && process.stderr.isTTY === true
  const progress = shows ? await progressBar(await source.count()) : noProgress
  const counts = { told: 0, failed: 0 }
  try {
    for await (const { job, end } of ended(source, options, progress)) {
      const record = recordOf(job, end)
      const failed = record.exitCode !== 0
      counts.told += 1
      if (failed) counts.failed += 1
      await progress.write(outputs.stdout, `${JSON.stringify(record)}\n`)
      if (record.error?.code === 'BAD_LINE') {
        await progress.write(outputs.stderr, `${PROGRAM}: line ${record.line}: ${record.error.message}\n`)
      }
      progress.told(failed)
    }
  } finally {
    progress.end()
  }
  if (counts.failed === 0) return 0
  await outputs.stderr.write(`${PROGRAM}: ${counts.failed} of ${counts.told} jobs failed.\n`)
  return EXIT.failed
}

/** A host of this process, which ends with it. */
async function placeHere(options: BatchOptions): Promise<Place> {
  for (const [option, value] of [
    ['--cluster-name', options.clusterName],
    ['--template', options.template],
  ])
    if (value !== undefined) throw usageError(`${option} is for jobs of a cluster: name its --cluster, too.`)
  const config = inDirectory(await configOf(options, 'bash'), options.cwd)
  await requireEngine(config.shell)
  return { prepare: onHost(hostOf(config, options), config), close: () => Promise.resolve() }
}

/** The queue of a cluster. */
async function placeOf(options: BatchOptions, redis: string): Promise<Place> {
  const {
    clusterName,
    concurrency: _c,
    cluster: _r,
    unordered: _u,
    strict: _s,
    progress: _p,
    ...rest
  } = options
  const { template, timeout, ...others } = rest
  const [strange] = Object.keys(others)
  if (strange !== undefined)
    throw usageError(
      `${optionOf(strange)} is not for jobs of a cluster: a template of its nodes says what a sandbox is.`,
    )
  const { onCluster } = await import('./batch/on-cluster.ts')
  const { openJobQueue } = await import('../cluster/jobs/open-job-queue.ts')
  try {
    const queue = await openJobQueue(redis, clusterName)
    return { prepare: onCluster(queue, { template, timeout }), close: () => queue.close() }
  } catch (error) {
    throw serverFailure(error, 'queue', { redis: '--cluster', cluster: '--cluster-name' }) ?? error
  }
}

/** `allowUrl` as `--allow-url` */
const optionOf = (name: string) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Every job waits for its place as long as it takes. The host ends with the process. */
function hostOf(config: CliConfig, options: BatchOptions): ShellHost<EngineName> {
  const { concurrency = 8, network, hardening } = options
  try {
    // That of the host: a job cannot replace it.
    const { policy, ...defaults } = asSandboxConfig(config)
    return new ShellHost<EngineName>({
      defaults,
      policy,
      isolation: isolationOf(config, options, 'process'),
      network,
      hardening,
      openTimeout: 86_400,
      maxSandboxes: concurrency,
      maxQueued: concurrency,
    })
  } catch (error) {
    throw inTermsOfOptions(error, options)
  }
}

interface JobRecord extends EndRecord {
  /** From 1. */
  readonly line: number
  readonly id?: unknown
  readonly files?: Job['files']
}

interface Ended {
  readonly job: Job
  readonly end: MapResult<unknown>
}

async function* ended(
  source: JobSource,
  { concurrency, unordered = false, strict = false }: BatchOptions,
  progress: Progress,
): AsyncGenerator<Ended, void> {
  const byIndex = new Map<number, Job>()
  async function* jobs() {
    let index = 0
    for await (const line of source.jobs()) {
      if (strict && line.fault !== undefined) throw usageError(`line ${line.line}: ${line.fault}`)
      const job = new Job(line)
      byIndex.set(index, job)
      index += 1
      progress.read()
      yield job
    }
  }
  const start = (job: Job, signal: AbortSignal) => job.run(signal)
  for await (const end of mapRuns(jobs(), start, (error) => error, { concurrency, ordered: !unordered })) {
    const job = byIndex.get(end.index)
    if (job === undefined) throw new TypeError('A result came for a job that was not read.')
    byIndex.delete(end.index)
    yield { job, end }
  }
}

function recordOf({ line: { line, id, fault }, files, seconds }: Job, end: MapResult<unknown>): JobRecord {
  const record = end.status === 'fulfilled' ? resultRecord(end.value) : errorRecord(end.reason)
  const { error } = record
  return {
    line,
    ...(id === undefined ? {} : { id }),
    ...record,
    ...(fault === undefined || error === undefined ? {} : { error: { ...error, code: 'BAD_LINE' } }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(files === undefined ? {} : { files }),
  }
}
