import type { BashRecord } from '../../../src/contract/shell-record.ts'
import type { Engine, ShellContext } from '../../service/engine-shell.ts'
import { FarError } from '../../service/far-error.ts'
import { wrongRecord } from '../../service/wrong-record.ts'
import { BashShell } from './bash-shell.ts'
import { openBinds } from './binds/open-binds.ts'
import { memoryFiles, putFiles } from './files/memory.ts'
import { MountedFiles } from './files/mounted-files.ts'
import { loadRefuse } from './files/refusal.ts'
import { type IFileSystem, loadJustBash } from './just-bash.ts'
import { openInterpreter } from './open-interpreter.ts'
import { Stop } from './session/stop.ts'

/**
 * bash and its programs in JavaScript, with files in memory.
 *
 * @param url - of the ES module of just-bash.
 */
export async function bashEngine(url: string): Promise<Engine> {
  await loadJustBash(url)
  return {
    capabilities: {
      terminable: true,
      interrupt: true,
      sync: true,
      streaming: false,
      changes: true,
      stdin: false,
    },
    build: async (record, context) => {
      if (record.engine !== 'bash') throw wrongRecord(record.engine)
      return build(url, record, context)
    },
  }
}

async function build(url: string, record: BashRecord, { isInterrupted }: ShellContext): Promise<BashShell> {
  const justBash = await loadJustBash(url)
  const { limits, cwd, env, python } = record
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
  })
  await putFiles(fs, record.files)
  await makeDirectory(fs, cwd)
  const shell = new BashShell(interpreter, record, stop, binds)
  if (record.init !== undefined) await initialize(shell, record.init)
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
