import { mergeConfig } from '../../config/merge.ts'
import type { EngineName } from '../../contract/lease.ts'
import { SandboxPathNotFoundError } from '../../sandbox/errors.ts'
import { absoluteFiles, inputOf, runOnce } from '../../shell-host/one-shot.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import {
  type ConfigFields,
  checkConfig,
  directoryOf,
  requireNames,
  shellOf,
} from '../../shell-host/shells.ts'
import { type Content, contentOf } from './content.ts'
import type { JobRun } from './job-run.ts'
import { commandOf, type Fields, type PrepareJob, pathsOf } from './read-job.ts'

/** What the jobs of a batch have where they do not say. */
export interface JobDefaults extends ConfigFields {
  readonly shell: EngineName
}

/** What a job asks for. */
interface JobRequest {
  readonly command: string
  /** Of its sandbox, over that of the batch. */
  readonly config: ConfigFields
  /** Paths that are read afterwards. */
  readonly collect: readonly string[]
  /** What the command reads; undefined where it has none. */
  readonly stdin?: Uint8Array | undefined
}

/** Jobs that run in sandboxes of a host. */
export const onHost =
  (host: ShellHost<EngineName>, defaults: JobDefaults): PrepareJob =>
  (fields) => {
    const request = requestOf(fields, defaults)
    return (signal) => runIn(host, request, signal)
  }

function requestOf(
  { id: _id, command, files, collect, stdin, ...rest }: Fields,
  defaults: JobDefaults,
): JobRequest {
  const given = mergeConfig({}, rest)
  const shell = shellOf(given) ?? defaults.shell
  requireNames(shell, given, ['id', 'command', 'files', 'collect', 'stdin'])
  const text = commandOf(command)
  const directory = directoryOf(shell, mergeConfig({ cwd: defaults['cwd'] }, given))
  const config = files === undefined ? given : { ...given, files: absoluteFiles(files, directory) }
  checkConfig(shell, config)
  return { command: text, config, collect: pathsOf(collect), stdin: inputOf(stdin) }
}

async function runIn(
  host: ShellHost<EngineName>,
  { command, collect, config, stdin }: JobRequest,
  signal: AbortSignal,
): Promise<JobRun> {
  const sandbox = await host.open<EngineName>(config, { signal })
  try {
    const result = await runOnce(sandbox, command, { signal, stdin })
    const entries: [path: string, content: Content][] = []
    for (const path of collect) {
      const bytes = await sandbox.readFile(path).catch(ignoreMissing)
      if (bytes !== undefined) entries.push([path, contentOf(bytes)])
    }
    return { result, files: collect.length > 0 ? Object.fromEntries(entries) : undefined }
  } finally {
    await sandbox.close()
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof SandboxPathNotFoundError)) throw error
}
