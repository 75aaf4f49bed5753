import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BashRecord } from '../../../../src/contract/shell-record.ts'
import { bashEngine } from '../../../../worker/engines/bash/bash-engine.ts'
import type { NetworkAccess } from '../../../../worker/engines/bash/network/direct-route.ts'
import type { EngineShell, ShellContext } from '../../../../worker/service/engine-shell.ts'

const require = createRequire(import.meta.url)

export const bundle = pathToFileURL(join(dirname(require.resolve('just-bash')), 'index.js')).href

const mebibyte = 2 ** 20

export const freshLimits = {
  maxOutput: 10 * mebibyte,
  maxFileSize: 64 * mebibyte,
  maxFileSystem: 256 * mebibyte,
  maxMemory: 256 * mebibyte,
}

const fresh: BashRecord = {
  engine: 'bash',
  binds: [],
  credentials: [],
  allowedUrls: [],
  env: [],
  files: [],
  cwd: '/home/user',
  python: false,
  commands: [],
  timeout: 20,
  limits: freshLimits,
}

const nobody: ShellContext['caller'] = {
  output: () => undefined,
  egress: () => undefined,
  command: () => Promise.reject(new Error('There is no caller.')),
}

/** A shell in this process. */
export async function openShell(
  record: Partial<BashRecord> = {},
  isInterrupted = () => false,
  {
    access,
    proxy,
    caller = nobody,
  }: {
    readonly access?: NetworkAccess
    readonly proxy?: string
    readonly caller?: ShellContext['caller']
  } = {},
): Promise<EngineShell> {
  const engine = await bashEngine(bundle, { access })
  const gate = { pass: <T>(call: () => Promise<T>) => call(), onRetire: () => undefined }
  return engine.build(
    { ...fresh, ...record },
    { gate, threadGate: gate, isInterrupted, proxy, caller, lost: () => undefined },
  )
}

/** Exit code, stdout and stderr of one command. */
export async function run(shell: EngineShell, command: string): Promise<[number, string, string]> {
  const outcome = await shell.run({ command })
  if (!outcome.ok) throw new Error(outcome.error.message)
  const { exitCode, stdout, stderr } = outcome.value
  return [exitCode, stdout, stderr]
}
