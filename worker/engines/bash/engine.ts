import { BashShell } from './bash-shell.ts'
import type { Engine, EngineShell } from './engine-types.ts'
import { memoryFiles, putFiles } from './files/memory.ts'
import { loadJustBash } from './just-bash.ts'
import { resolveBounds } from './limits.ts'
import { networkOf } from './network.ts'
import { openInterpreter } from './open-interpreter.ts'
import type { BashRecord } from './record.ts'
import { Stop } from './session/stop.ts'

async function build(record: BashRecord): Promise<EngineShell> {
  const justBash = await loadJustBash(record.bundle)
  const bounds = resolveBounds(record.limits)
  const fs = await memoryFiles(justBash, record, bounds)
  const stop = new Stop(record.stop)
  const interpreter = openInterpreter({
    justBash,
    fs,
    cwd: record.cwd ?? '/home/user',
    env: {
      HOME: '/home/user',
      USER: 'user',
      LOGNAME: 'user',
      SHELL: '/bin/bash',
      ...Object.fromEntries(record.env ?? []),
    },
    bounds,
    stop,
    python: record.python === true,
    network: networkOf(record.network),
  })
  await putFiles(fs, record.files)
  const shell = new BashShell(interpreter, record, bounds, stop)
  const initialized = await shell.initialize()
  if (initialized?.ok === true && initialized.value.exitCode !== 0)
    throw new Error(`The init script ended with ${initialized.value.exitCode}: ${initialized.value.stderr}`)
  return shell
}

/** just-bash in a worker: bash and its programs in JavaScript, files in memory. */
export const bashEngine: Engine = {
  capabilities: { interrupt: true, checkpoint: false },
  build,
}
