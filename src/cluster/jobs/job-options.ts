import type { JobsOptions } from 'bullmq'
import type { Base64Content } from '../../config/files.ts'
import { refuse } from '../../sandbox/arguments.ts'
import { SandboxLimitError } from '../../sandbox/errors.ts'
import { optionsOf, within } from '../../sandbox/options-of.ts'
import { kindOf } from '../../sandbox/show-value.ts'
import type { JobData } from './job-data.ts'

/** Bytes of a job as JSON, at most: Redis holds it in memory. */
const mostJobBytes = 4 * 2 ** 20

/** Contents that a job can carry: text, which becomes UTF-8, or bytes. */
export type JobContent = string | Uint8Array | Base64Content

/** How a job is run. Durations are in seconds. */
export interface ClusterJobOptions {
  /**
   * The name of a config of the nodes.
   *
   * @default 'default'
   */
  readonly template?: string | undefined
  /**
   * Files that its session begins with. With `stdin` and the rest of the job at most 4 MiB as JSON.
   *
   * @default {}
   */
  readonly files?: Readonly<Record<string, JobContent>> | undefined
  /** Standard input of the command. */
  readonly stdin?: JobContent | undefined
  /**
   * Paths of files that are read afterwards, into the `outputFiles` of the result, which has at most 4 MiB as JSON.
   *
   * @default []
   */
  readonly collect?: readonly string[] | undefined
  /** How long the run may take on its node, from its beginning. */
  readonly timeout?: number | undefined
  /**
   * What the job is known by: visible ASCII characters without `:`, at most 128. A job with an id that the queue knows is not run again: its result is
   * given for as long as it is kept.
   *
   * @default undefined (none)
   */
  readonly id?: string | undefined
  /**
   * Times that it is tried where its node, its session or the place for it is lost, from 1 to 100. A command that ends with any exit code is not tried
   * again.
   *
   * @default 3
   */
  readonly attempts?: number | undefined
  /**
   * How long the first wait between attempts is; each further one is twice as long.
   *
   * @default 1
   */
  readonly backoff?: number | undefined
  /**
   * From 0, which goes first, to 2097152.
   *
   * @default 0
   */
  readonly priority?: number | undefined
  /**
   * How long the result is kept, from 60.
   *
   * @default 3600
   */
  readonly resultTime?: number | undefined
  /** Takes the job out of the queue. One that runs goes on, and its result is given to nobody. */
  readonly signal?: AbortSignal | undefined
}

/** One of many jobs. */
export interface ClusterJob extends ClusterJobOptions {
  /** The command. */
  readonly command: string
}

interface ResolvedJob {
  readonly data: JobData
  readonly options: JobsOptions
  readonly id: string | undefined
  readonly signal: AbortSignal | undefined
}

const known = [
  'command',
  'template',
  'files',
  'stdin',
  'collect',
  'timeout',
  'id',
  'attempts',
  'backoff',
  'priority',
  'resultTime',
  'signal',
] as const satisfies readonly (keyof ClusterJob)[]

/** @throws {SandboxConfigError} naming the field that is not valid @throws {SandboxLimitError} where it is too large */
export function resolveJob(job: ClusterJob): ResolvedJob {
  optionsOf<ClusterJob>(job, known, 'job')
  const { command, template = 'default', files, stdin, collect, timeout, id, signal } = job
  if (typeof command !== 'string') throw refuse('command', `must be a string, but is ${kindOf(command)}.`)
  if (id !== undefined && (typeof id !== 'string' || !/^[\x21-\x39\x3b-\x7e]{1,128}$/.test(id)))
    throw refuse('id', 'must be 1 to 128 visible ASCII characters without ":".')
  const age = within('resultTime', job.resultTime ?? 3600, { least: 60, most: 30 * 86_400, unit: 'seconds' })
  const data = {
    command,
    template,
    ...(files === undefined
      ? {}
      : {
          files: Object.fromEntries(
            Object.entries(files).map(([path, content]) => [path, base64Of(`files.${path}`, content)]),
          ),
        }),
    ...(stdin === undefined ? {} : { stdin: base64Of('stdin', stdin) }),
    ...(collect === undefined ? {} : { collect: [...collect] }),
    ...(timeout === undefined
      ? {}
      : { timeout: within('timeout', timeout, { least: 0.001, most: 86_400, unit: 'seconds' }) }),
  }
  const bytes = Buffer.byteLength(JSON.stringify(data))
  if (bytes > mostJobBytes)
    throw new SandboxLimitError(
      `A job may have ${mostJobBytes} bytes as JSON, but has ${bytes}. Keep large files where its sandbox finds them.`,
      { limit: 'job', value: mostJobBytes },
    )
  return {
    data,
    id,
    signal,
    options: {
      attempts: within('attempts', job.attempts ?? 3, { least: 1, most: 100, isWhole: true }),
      backoff: {
        type: 'exponential',
        delay: within('backoff', job.backoff ?? 1, { least: 0, most: 3600, unit: 'seconds' }) * 1000,
      },
      priority: within('priority', job.priority ?? 0, { least: 0, most: 2_097_152, isWhole: true }),
      removeOnComplete: { age },
      removeOnFail: { age },
    },
  }
}

function base64Of(field: string, content: unknown): { readonly base64: string } {
  if (typeof content === 'string') return { base64: Buffer.from(content).toString('base64') }
  if (content instanceof Uint8Array) return { base64: Buffer.from(content).toString('base64') }
  if (
    typeof content === 'object' &&
    content !== null &&
    'base64' in content &&
    typeof content.base64 === 'string'
  )
    return { base64: content.base64 }
  throw refuse(field, `must be text or bytes, but is ${kindOf(content)}.`)
}
