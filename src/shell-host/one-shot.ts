import { basename, join } from 'node:path/posix'
import { bytesOfBase64 } from '../config/base64.ts'
import type { Base64Content, StartFiles } from '../config/files.ts'
import type { EngineName } from '../contract/lease.ts'
import { isPlain } from '../contract/plain.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { MAX_TIMEOUT, reading, refuse, requirePath } from '../sandbox/arguments.ts'
import { SandboxPathNotFoundError } from '../sandbox/errors.ts'
import type { ExecutionResult, OutputFile } from '../sandbox/results.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { requireStdin } from '../sandbox/stdin.ts'
import type { OpenConfig } from './sandbox-config.ts'

/** What one command is run with besides the config of its sandbox. */
export interface OneShotFields {
  /**
   * Files that the session begins with, as in a config. A relative path is taken from the directory of the session.
   *
   * @default {}
   */
  readonly files?: StartFiles | undefined
  /**
   * Standard input of the command: text, which arrives as UTF-8, or bytes; at most 64 MiB, and what the sandbox takes. It is
   * checked before the sandbox is opened.
   *
   * @default undefined (empty)
   */
  readonly stdin?: string | Uint8Array | Base64Content | undefined
  /**
   * Paths of files that are read after the command has run, into the result's `outputFiles`, in this order. What is
   * not there is left out: a command that failed may not have made it.
   *
   * @default []
   */
  readonly collect?: readonly string[] | undefined
  /**
   * Seconds after which the run rejects with `SandboxTimeoutError`, opening included: as the `timeout` of `execute`. The
   * command is not ended with exit code 124 before, unless the host's `defaults.timeout` is shorter.
   *
   * @default undefined (none: the command ends at the `timeout` of the host's defaults, or 30 seconds, with exit code 124)
   */
  readonly timeout?: number | undefined
  /** Aborts the run, which rejects with `ABORTED`. */
  readonly signal?: AbortSignal | undefined
}

/** The names of {@link OneShotFields}. */
export const ONE_SHOT_NAMES: readonly (keyof OneShotFields)[] = [
  'files',
  'stdin',
  'collect',
  'timeout',
  'signal',
]

/** The files of one command as those of a config. @param directory - of the session: relative paths are taken from it */
export function absoluteFiles(files: unknown, directory: string): unknown {
  if (typeof files !== 'object' || files === null) return files
  return reading('files', () => {
    if (!isPlain(files)) return files
    const entries = Object.entries<unknown>({ ...files })
    return Object.fromEntries(entries.map(([path, content]) => [absolute(path, directory), content]))
  })
}

/** A path with `..` stays as it is: a config refuses it. */
function absolute(path: string, directory: string): string {
  return path === '' || path.startsWith('/') || path.split('/').includes('..') ? path : join(directory, path)
}

/**
 * The standard input of one command, as bytes of its own; undefined where it is left out.
 *
 * @throws SandboxConfigError with the field `stdin`, or that of its Base64
 * @throws SandboxLimitError where it is larger than 64 MiB
 */
export function inputOf(stdin: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (stdin === undefined) return undefined
  return reading('stdin', () => {
    const isBase64 = typeof stdin === 'object' && stdin !== null && isPlain(stdin) && 'base64' in stdin
    return requireStdin(isBase64 ? bytesOfBase64(stdin, ['stdin']) : stdin)
  })
}

/** A copy of the paths of files that are read after the command. @throws SandboxConfigError with the field `collect`, or that of one path */
export function collectedOf(collect: unknown): readonly string[] {
  if (collect === undefined) return []
  return reading('collect', () => {
    if (!Array.isArray(collect))
      throw refuse('collect', `must be an array of paths, but is ${kindOf(collect)}.`)
    return Array.from<unknown, string>(collect, (path, index) => requirePath(path, `collect[${index}]`))
  })
}

/** What one command is run with, in a fresh sandbox of this config. */
export type OneShotOptions<Shell extends EngineName = 'strands'> = OneShotFields &
  Omit<OpenConfig<Shell>, 'files' | 'timeout'>

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

/** Seconds by which the command of a run could outlast it, where the host's defaults name no time limit. */
const margin = 1

/** The time limit of the commands of a sandbox whose one run ends earlier; none where there is no limit for the run. */
export function outlasting(timeout: number | undefined): { readonly timeout?: number } {
  return timeout === undefined ? {} : { timeout: Math.min(timeout + margin, MAX_TIMEOUT) }
}

/** Runs one command in a sandbox that was made for it. */
export async function runOnce(
  sandbox: HostedSandbox,
  command: string,
  {
    collect = [],
    stdin,
    timeout,
    signal,
  }: Pick<OneShotFields, 'collect' | 'timeout' | 'signal'> & { readonly stdin?: Uint8Array | undefined },
): Promise<ExecutionResult> {
  const result = await sandbox.execute(command, { timeout, signal, stdin })
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
