import type { EngineName } from '../contract/lease.ts'
import { type MapResult, mapRuns } from '../shell-host/map-runs.ts'
import { ShellHost } from '../shell-host/shell-host.ts'
import { type JobSource, openJobs } from './batch/input.ts'
import { Job } from './batch/job.ts'
import { noProgress, type Progress, progressBar } from './batch/progress.ts'
import type { JobRequest } from './batch/read-job.ts'
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

/** The options of `batch`, as commander hands them over. */
export interface BatchOptions extends SandboxOptions {
  readonly cwd?: string
  readonly concurrency?: number
  readonly unordered?: boolean
  readonly strict?: boolean
  readonly progress: boolean
}

/** Runs jobs, each in a sandbox of its own, and prints their results; gives the exit code. */
export async function batch(path: string, options: BatchOptions, outputs: Outputs): Promise<number> {
  const config = await configFor(options)
  const host = hostOf(config, options)
  const source = await openJobs(path, config)
  const shows = options.progress && process.stderr.isTTY === true
  const progress = shows ? await progressBar(await source.count()) : noProgress
  const counts = { told: 0, failed: 0 }
  try {
    for await (const { job, end } of ended(host, source, options, progress)) {
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

async function configFor(options: BatchOptions): Promise<CliConfig> {
  const config = inDirectory(await configOf(options, 'bash'), options.cwd)
  await requireEngine(config.shell)
  return config
}

/** Every job waits for its place as long as it takes. The host ends with the process. */
function hostOf(config: CliConfig, options: BatchOptions): ShellHost<EngineName> {
  const { concurrency = 8, network } = options
  try {
    return new ShellHost<EngineName>({
      defaults: asSandboxConfig(config),
      isolation: isolationOf(config, options, 'process'),
      network,
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
  host: ShellHost<EngineName>,
  source: JobSource,
  { concurrency, unordered = false, strict = false }: BatchOptions,
  progress: Progress,
): AsyncGenerator<Ended, void> {
  const byRequest = new Map<JobRequest, Job>()
  const byIndex = new Map<number, Job>()
  async function* requests() {
    let index = 0
    for await (const line of source.jobs()) {
      if (strict && line.fault !== undefined) throw usageError(`line ${line.line}: ${line.fault}`)
      const job = new Job(line)
      byRequest.set(line.request, job)
      byIndex.set(index, job)
      index += 1
      progress.read()
      yield line.request
    }
  }
  const run = (request: JobRequest, signal: AbortSignal) => required(byRequest.get(request)).run(host, signal)
  for await (const end of mapRuns(requests(), run, (error) => error, { concurrency, ordered: !unordered })) {
    const job = required(byIndex.get(end.index))
    byIndex.delete(end.index)
    byRequest.delete(job.line.request)
    yield { job, end }
  }
}

function required(job: Job | undefined): Job {
  if (job === undefined) throw new TypeError('A result came for a job that was not read.')
  return job
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
