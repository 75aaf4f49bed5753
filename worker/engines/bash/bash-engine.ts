import type { BashRecord } from '../../../src/contract/shell-record.ts'
import type { Engine, ShellContext } from '../../service/engine-shell.ts'
import { FarError } from '../../service/far-error.ts'
import { wrongRecord } from '../../service/wrong-record.ts'
import { BashShell } from './bash-shell.ts'
import { hostCommand } from './commands/host-command.ts'
import { memoryFiles, putFiles } from './files/memory.ts'
import { type JustBash, loadJustBash } from './just-bash.ts'
import { openInterpreter } from './open-interpreter.ts'
import { watchStatements } from './session/statement-output.ts'
import { Stop } from './session/stop.ts'

/**
 * bash and its programs in JavaScript, with files in memory.
 *
 * @param url - of the ES module of just-bash.
 */
export async function bashEngine(url: string): Promise<Engine> {
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
    },
    build: async (record, context) => {
      if (record.engine !== 'bash') throw wrongRecord(record.engine)
      return build(justBash, record, context)
    },
  }
}

async function build(
  justBash: JustBash,
  record: BashRecord,
  { isInterrupted, caller }: ShellContext,
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
    commands: commands.map((command) => hostCommand(command, caller)),
  })
  await putFiles(fs, record.files)
  const shell = new BashShell(interpreter, record, stop, (chunk) => caller.output(chunk))
  if (record.init !== undefined) await initialize(shell, record.init)
  return shell
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
