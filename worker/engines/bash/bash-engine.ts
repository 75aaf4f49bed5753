import type { BashRecord } from '../../../src/contract/shell-record.ts'
import { skippedOf, takeIn } from '../../host-files/take-in.ts'
import type { Code } from '../../service/code/code.ts'
import type { Engine, ShellContext } from '../../service/engine-shell.ts'
import { initialize } from '../../service/initialize.ts'
import { wrongRecord } from '../../service/wrong-record.ts'
import { BashShell, type BashShellParts } from './bash-shell.ts'
import { openBinds } from './binds/open-binds.ts'
import { hostCommand } from './commands/host-command.ts'
import { memoryFiles } from './files/memory.ts'
import { MountedFiles } from './files/mounted-files.ts'
import { makeDirectories, putFiles, putTaken, takeInBounds } from './files/put-files.ts'
import { putTree } from './files/put-tree.ts'
import { loadRefuse } from './files/refusal.ts'
import type { JustBash } from './just-bash.ts'
import { loadJustBash } from './load-just-bash.ts'
import type { NetworkAccess } from './network/direct-route.ts'
import type { Network, NetworkWay } from './network/open-network.ts'
import { openInterpreter } from './open-interpreter.ts'
import { checkRules } from './rules/check-rules.ts'
import { openRules } from './rules/session-rules.ts'
import { watchStatements } from './session/statement-output.ts'
import { Stop } from './session/stop.ts'

/**
 * bash and its programs in JavaScript, with files in memory.
 *
 * @param url - of the ES module of just-bash.
 * @param access - how hosts are reached. Default: the system's resolver, and TCP.
 * @param code - by which it is compiled. Default: it is compiled as it is.
 */
export async function bashEngine(
  url: string,
  { access, code }: { readonly access?: NetworkAccess | undefined; readonly code?: Code | undefined } = {},
): Promise<Engine> {
  const justBash = await loadJustBash(url, code)
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
      if (record.rules !== undefined) checkRules(record.rules)
      return build(justBash, { url, record, context, access })
    },
  }
}

interface BuildParts {
  readonly url: string
  readonly record: BashRecord
  readonly context: ShellContext
  readonly access: NetworkAccess | undefined
}

async function build(justBash: JustBash, { url, record, context, access }: BuildParts): Promise<BashShell> {
  const { isInterrupted, proxy, caller } = context
  const { limits, cwd, env, python, commands, files = [] } = record
  const refuse = await loadRefuse(url)
  const memory = await memoryFiles(justBash, record, refuse)
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
          refuse,
          asBytes: justBash.unsafeBytesFromLatin1,
        })
  const rules = openRules(record, { fs, memory, refuse })
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
    network: await networkOf(record, { proxy, access, stop, tell: (signal) => caller.egress(signal) }),
    commands: commands.map((command) => hostCommand(command, caller)),
    rules: rules?.commands,
  })
  const systemFiles = new Set(memory.getAllPaths())
  memory.putPrograms()
  const programFiles = new Set(memory.getAllPaths().filter((path) => !systemFiles.has(path)))
  await putFiles(fs, files)
  const places = record.binds.map(({ destination }) => destination)
  if (record.tree !== undefined) await putTree(memory, record.tree, places)
  await makeDirectories(fs, record)
  const onOutput: BashShellParts['onOutput'] = (chunk) => caller.output(chunk)
  // A checkpoint has what came of directories and of init: both are changes of the session.
  const begins = record.restores !== true
  const taken = (begins ? (record.directories ?? []) : []).map((directory) =>
    takeIn(directory, places, takeInBounds(limits)),
  )
  const skipped = skippedOf(taken)
  const shell = new BashShell({
    interpreter,
    fs,
    memory,
    programFiles,
    binds,
    record,
    stop,
    onOutput,
    skipped,
    rules,
  })
  const own = new Set(files.map(([path]) => path))
  for (const each of taken) await putTaken(fs, each, own)
  if (begins && record.init !== undefined) await initialize(shell, record.init)
  await rules?.begin()
  return shell
}

/** Node's clients are loaded where there is a network: they cost each worker 5 ms and 1 MiB. */
async function networkOf(record: BashRecord, way: NetworkWay): Promise<Network | undefined> {
  if (record.allowedUrls.length === 0) return undefined
  const { openNetwork } = await import('./network/open-network.ts')
  return openNetwork(record, way)
}
