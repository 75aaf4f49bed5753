import { basename } from 'node:path/posix'
import * as v from 'valibot'
import { type ClusterJob, resolveJob } from '../../cluster/jobs/job-options.ts'
import type { JobQueue } from '../../cluster/jobs/job-queue.ts'
import { refuseConfig } from '../../config/refuse-config.ts'
import type { ExecutionResult } from '../../sandbox/results.ts'
import { contentOf } from './content.ts'
import type { Files, JobRun } from './job-run.ts'
import { commandOf, Fault, type PrepareJob, pathsOf } from './read-job.ts'

/** What every job of a batch has where it does not say. */
export type ClusterDefaults = Pick<ClusterJob, 'template' | 'timeout'>

const number = v.optional(v.number('must be a number.'))
const content = v.union(
  [v.string(), v.strictObject({ base64: v.string() })],
  'must be text or {"base64":"…"}.',
)

/** Fields of a line beside `id`, `command` and `collect`. */
const lineSchema = v.strictObject(
  {
    attempts: number,
    backoff: number,
    files: v.optional(v.record(v.string(), content, 'must be an object of files by path.')),
    priority: number,
    stdin: v.optional(content),
    template: v.optional(v.string('must be a string.')),
    timeout: number,
  },
  'is no field of a job of a cluster: its template says what its sandbox is.',
)

/** Jobs that go into the queue of a cluster: its nodes know what their sandboxes are. */
export const onCluster =
  (queue: Pick<JobQueue, 'run'>, defaults: ClusterDefaults): PrepareJob =>
  ({ id: _id, command, collect, ...rest }) => {
    const text = commandOf(command)
    const paths = namedApart(pathsOf(collect))
    const parsed = v.safeParse(lineSchema, rest)
    if (!parsed.success) throw refuseConfig(parsed.issues)
    const { data, options } = resolveJob({ ...defaults, ...parsed.output, command: text, collect: paths })
    return async (signal): Promise<JobRun> => {
      const result = await queue.run(data, options, undefined, signal)
      return { result, files: paths.length > 0 ? filesOf(paths, result) : undefined }
    }
  }

/** The queue gives collected files by their names alone. */
function namedApart(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => basename(path))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return paths
  throw new Fault(
    `collect has two paths of the name ${JSON.stringify(twice)}: a cluster cannot tell them apart.`,
  )
}

function filesOf(paths: readonly string[], { outputFiles }: ExecutionResult): Files {
  const contents = new Map(outputFiles.map(({ name, content }) => [name, contentOf(content)]))
  return Object.fromEntries(
    paths.flatMap((path) => {
      const content = contents.get(basename(path))
      return content === undefined ? [] : [[path, content]]
    }),
  )
}
