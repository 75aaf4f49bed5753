import { basename } from 'node:path/posix'
import { SandboxPathNotFoundError } from '../sandbox/errors.ts'
import type { ExecutionResult, OutputFile } from '../sandbox/results.ts'
import type { StrandsShellConfig } from '../strands-shell/config/types.ts'
import type { StrandsShellSandbox } from '../strands-shell/strands-shell-sandbox.ts'

/** What one command is run with, in a fresh sandbox of this config. */
export interface OneShotOptions extends StrandsShellConfig {
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

/** One of many commands, each in a fresh sandbox. */
export interface OneShotRequest extends OneShotOptions {
  /** The command, as for `execute`. */
  readonly command: string
}

/** Runs one command in a sandbox that was made for it. */
export async function runOnce(
  sandbox: StrandsShellSandbox,
  command: string,
  { files = {}, collect = [], signal }: OneShotOptions,
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

async function readIfThere(sandbox: StrandsShellSandbox, path: string): Promise<Uint8Array | undefined> {
  try {
    return await sandbox.readFile(path)
  } catch (error) {
    if (error instanceof SandboxPathNotFoundError) return undefined
    throw error
  }
}
