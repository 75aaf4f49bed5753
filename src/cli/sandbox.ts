import { shellQuote } from '../sandbox/quoting.ts'
import { StrandsShellSandbox } from '../strands-shell/strands-shell-sandbox.ts'
import { usageError } from './failure.ts'
import { configOf, hostOfOne } from './options/sandbox-config.ts'
import type { SandboxOptions } from './options/sandbox-options.ts'

/** The sandbox that the options stand for, not yet open. */
export async function makeSandbox(options: SandboxOptions): Promise<StrandsShellSandbox> {
  const config = await configOf(options)
  return new StrandsShellSandbox(config, { host: await hostOfOne(config, options) })
}

/** Opens a sandbox, in a directory of it. The session itself changes there, so that traps of a command fire. */
export async function openIn(sandbox: StrandsShellSandbox, directory: string | undefined): Promise<void> {
  await sandbox.open()
  if (directory === undefined) return
  const path = directory.startsWith('/') ? directory : `./${directory}`
  const { exitCode } = await sandbox.execute(`cd ${shellQuote(path)}`)
  if (exitCode === 0) return
  throw usageError(`--cwd: there is no directory ${JSON.stringify(directory)} in the sandbox.`)
}
