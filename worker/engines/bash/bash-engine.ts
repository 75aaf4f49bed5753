import type { BashRecord } from '../../../src/contract/shell-record.ts'
import type { Engine, ShellContext } from '../../service/engine-shell.ts'
import { FarError } from '../../service/far-error.ts'
import { wrongRecord } from '../../service/wrong-record.ts'
import { BashShell, type BashShellParts } from './bash-shell.ts'
import { openBinds } from './binds/open-binds.ts'
import { hostCommand } from './commands/host-command.ts'
import { OWN_COMMANDS } from './commands/index.ts'
import { memoryFiles, putFiles } from './files/memory.ts'
import { MountedFiles } from './files/mounted-files.ts'
import { loadRefuse } from './files/refusal.ts'
import { type IFileSystem, loadJustBash } from './just-bash.ts'
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
  await loadJustBash(url)
  const streaming = await watchStatements(url)
  return {
    capabilities: {
      terminable: true,
      interrupt: true,
      sync: true,
      streaming,
      changes: true,
      checkpoint: true,
    },
    build: async (record, context) => {
      if (record.engine !== 'bash') throw wrongRecord(record.engine)
      return build(url, record, context, access)
    },
  }
}

async function build(
  url: string,
  record: BashRecord,
  { isInterrupted, proxy, caller }: ShellContext,
  access: NetworkAccess | undefined,
): Promise<BashShell> {
  const justBash = await loadJustBash(url)
  const { limits, cwd, env, python, commands } = record
  const memory = await memoryFiles(justBash, record)
  const stop = new Stop(isInterrupted)
  const binds = openBinds(record, {
    maxFileSize: limits.maxFileSize,
    reserve: (bytes) => memory.reserve(bytes),
  })
  const fs =
    binds.mounts.length === 0
      ? memory
      : new MountedFiles({
          memory,
          mounts: binds.mounts,
          maxFileSize: limits.maxFileSize,
          maxText: Math.floor(limits.maxMemory / 8),
          step: () => stop.step(),
          refuse: await loadRefuse(url),
          asBytes: justBash.unsafeBytesFromLatin1,
        })
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
  await hideInnerCommands(memory)
  await putFiles(fs, record.files)
  await makeDirectory(fs, cwd)
  const onOutput: BashShellParts['onOutput'] = (chunk) => caller.output(chunk)
  const shell = new BashShell({ interpreter, fs, memory, binds, record, stop, onOutput })
  if (record.init !== undefined && record.restores !== true) await initialize(shell, record.init)
  return shell
}

/** Makes the directory that a session begins in, where it does not exist. */
async function makeDirectory(fs: IFileSystem, cwd: string): Promise<void> {
  if (await fs.exists(cwd)) return
  await fs.mkdir(cwd, { recursive: true }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new FarError({ code: 'INVALID_CONFIG', field: 'cwd', message: `cwd cannot be made: ${reason}` })
  })
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
