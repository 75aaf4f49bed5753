import { basename } from 'node:path/posix'
import type { EngineName } from '../contract/lease.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { SandboxPathNotFoundError } from '../sandbox/errors.ts'
import type { ExecutionResult, OutputFile } from '../sandbox/results.ts'
import type { OpenConfig } from './sandbox-config.ts'

/** What one command is run with besides the config of its sandbox. */
export interface OneShotFields {
  /**
   * Files that are written before the command runs: content by path, a relative one from the sandbox's home.
   *
   * @default {}
   */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined
  /**
   * Paths of files that are read after the command has run, into the result's `outputFiles`, in this order. What is
   * not there is left out: a command that failed may not have made it.
   *
   * @default []
   */
  readonly collect?: readonly string[] | undefined
  /** Aborts the run, which rejects with `ABORTED`. */
  readonly signal?: AbortSignal | undefined
}

/** What one command is run with, in a fresh sandbox of this config. */
export type OneShotOptions<Shell extends EngineName = 'strands'> = OneShotFields &
  Omit<OpenConfig<Shell>, 'files'>

/** One of many commands, each in a fresh sandbox: of the shell that it names, or else of `Shell`. */
export type OneShotRequest<Shell extends EngineName = 'strands'> = {
  /** The command, as for `execute`. */
  readonly command: string
} & (
  | OneShotOptions<Shell>
  | {
      readonly [Name in EngineName]: OneShotOptions<Name> & {
        /** The shell of its sandbox. */
        readonly shell: Name
      }
    }[EngineName]
)

/** Runs one command in a sandbox that was made for it. */
export async function runOnce(
  sandbox: HostedSandbox,
  command: string,
  { files = {}, collect = [], signal }: OneShotFields,
): Promise<ExecutionResult> {
  for (const [path, content] of Object.entries(files)) {
    if (typeof content === 'string') await sandbox.writeText(path, content)
    else await sandbox.writeFile(path, content)
  }
  const result = await sandbox.execute(command, { signal })
  const outputFiles: OutputFile[] = []
  for (const path of collect) {
    const content = await readIfThere(sandbox, path)
    if (content === undefined) continue
    outputFiles.push({ name: basename(path), content, mimeType: 'application/octet-stream' })
  }
  return { ...result, outputFiles }
}

async function readIfThere(sandbox: HostedSandbox, path: string): Promise<Uint8Array | undefined> {
  try {
    return await sandbox.readFile(path)
  } catch (error) {
    if (error instanceof SandboxPathNotFoundError) return undefined
    throw error
  }
}
