import type { BashRecord } from '../../../src/contract/shell-record.ts'
import type { Engine, ShellContext } from '../../service/engine-shell.ts'
import { FarError } from '../../service/far-error.ts'
import { wrongRecord } from '../../service/wrong-record.ts'
import { BashShell } from './bash-shell.ts'
import { hostCommand } from './commands/host-command.ts'
import { OWN_COMMANDS } from './commands/index.ts'
import { memoryFiles, putFiles } from './files/memory.ts'
import { type IFileSystem, type JustBash, loadJustBash } from './just-bash.ts'
import type { NetworkAccess } from './network/direct-route.ts'
import type { Network, NetworkWay } from './network/open-network.ts'
import { openInterpreter } from './open-interpreter.ts'
import { watchStatements } from './session/statement-output.ts'
import { Stop } from './session/stop.ts'
import { innerPath, isInner } from './transform/inner-command.ts'

/**
 * bash and its programs in JavaScript, with files in memory.
 *
 * @param url - of the ES module of just-bash.
 * @param access - how hosts are reached. Default: the system's resolver, and TCP.
 */
export async function bashEngine(url: string, access?: NetworkAccess): Promise<Engine> {
  const justBash = await loadJustBash(url)
  const streaming = await watchStatements(url)
  return {
    capabilities: {
      terminable: true,
      interrupt: true,
      sync: true,
      streaming,
      changes: false,
      stdin: false,
      checkpoint: true,
    },
    build: async (record, context) => {
      if (record.engine !== 'bash') throw wrongRecord(record.engine)
      return build(justBash, record, context, access)
    },
  }
}

async function build(
  justBash: JustBash,
  record: BashRecord,
  { isInterrupted, proxy, caller }: ShellContext,
  access: NetworkAccess | undefined,
): Promise<BashShell> {
  const { limits, cwd, env, python, commands } = record
  const fs = await memoryFiles(justBash, record)
  const stop = new Stop(isInterrupted)
  const interpreter = openInterpreter({
    justBash,
    fs,
    cwd,
    env: {
      HOME: '/home/user',
      USER: 'user',
      LOGNAME: 'user',
      SHELL: '/bin/bash',
      ...Object.fromEntries(env),
    },
    bounds: limits,
    stop,
    python,
    network: await networkOf(record, { proxy, access, stop }),
    commands: commands.map((command) => hostCommand(command, caller)),
  })
  await hideInnerCommands(fs)
  await putFiles(fs, record.files)
  const shell = new BashShell({ interpreter, fs, record, stop, onOutput: (chunk) => caller.output(chunk) })
  if (record.init !== undefined && record.restores !== true) await initialize(shell, record.init)
  return shell
}

/** just-bash puts a file into `/bin` and `/usr/bin` for each command. */
async function hideInnerCommands(fs: IFileSystem): Promise<void> {
  for (const { name } of OWN_COMMANDS) {
    if (!isInner(innerPath(name))) continue
    await fs.rm(`/bin/${name}`, { force: true })
    await fs.rm(innerPath(name), { force: true })
  }
}

/** Node's clients are loaded where there is a network: they cost each worker 5 ms and 1 MiB. */
async function networkOf(record: BashRecord, way: NetworkWay): Promise<Network | undefined> {
  if (record.allowedUrls.length === 0) return undefined
  const { openNetwork } = await import('./network/open-network.ts')
  return openNetwork(record, way)
}

async function initialize(shell: BashShell, command: string): Promise<void> {
  const outcome = await shell.run({ command })
  if (!outcome.ok) throw new FarError(outcome.error)
  const { exitCode, stdout, stderr } = outcome.value
  if (exitCode === 0) return
  throw new FarError({
    code: 'INVALID_CONFIG',
    field: 'init',
    message: `init ended with exit code ${exitCode}. Its output: ${stdout}${stderr}`,
  })
}
