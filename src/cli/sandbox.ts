import type { EngineName } from '../contract/lease.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { foreignText } from '../sandbox/message-text.ts'
import { shellQuote } from '../sandbox/quoting.ts'
import { makeSandbox as make } from '../shell-host/shells.ts'
import { EXIT } from './exit-codes.ts'
import { CliError, usageError } from './failure.ts'
import { requireEngine } from './options/require-engine.ts'
import { configOf, hostOfOne } from './options/sandbox-config.ts'
import type { SandboxOptions } from './options/sandbox-options.ts'

/** The sandbox that the options stand for, not yet open. `fallback` is its shell where they name none. */
export async function makeSandbox(options: SandboxOptions, fallback: EngineName): Promise<HostedSandbox> {
  const config = await configOf(options, fallback)
  const sandbox = make(config.shell, config, { host: await hostOfOne(config, options) })
  await requireEngine(config.shell)
  return sandbox
}

/** Opens a sandbox, in a directory of it. */
export async function openIn(sandbox: HostedSandbox, directory: string | undefined): Promise<void> {
  await sandbox.open()
  await changeDirectory(sandbox, directory)
}

/** Goes into a directory of a sandbox. The session itself changes there, so that traps of a command fire. */
export async function changeDirectory(
  sandbox: Pick<HostedSandbox, 'execute'>,
  directory: string | undefined,
): Promise<void> {
  if (directory === undefined) return
  const path = directory.startsWith('/') ? directory : `./${directory}`
  const { exitCode, stderr, timedOut } = await sandbox.execute(`cd ${shellQuote(path)}`)
  if (exitCode === 0) return
  if (timedOut)
    throw new CliError('--cwd: the sandbox did not get there within its time limit.', EXIT.timeout)
  if (exitCode === EXIT.denied) throw usageError(`--cwd: ${foreignText(stderr.trim())}`)
  throw usageError(`--cwd: there is no directory ${JSON.stringify(directory)} in the sandbox.`)
}
