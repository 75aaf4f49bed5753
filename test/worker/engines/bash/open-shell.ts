import { fileURLToPath, pathToFileURL } from 'node:url'
import { bashEngine } from '../../../../worker/engines/bash/engine.ts'
import type { EngineShell } from '../../../../worker/engines/bash/engine-types.ts'
import type { BashRecord } from '../../../../worker/engines/bash/record.ts'

export const bundle = pathToFileURL(
  fileURLToPath(new URL('../../../../node_modules/just-bash/dist/bundle/index.js', import.meta.url)),
).href

/** A shell in this process. */
export function openShell(record: Partial<BashRecord> = {}): Promise<EngineShell> {
  return bashEngine.build({ bundle, timeout: 20, ...record }, { lost: () => undefined })
}

/** Exit code, stdout and stderr of one command. */
export async function run(shell: EngineShell, command: string): Promise<[number, string, string]> {
  const outcome = await shell.run({ command })
  if (!outcome.ok) throw new Error(outcome.error.message)
  const { exitCode, stdout, stderr } = outcome.value
  return [exitCode, stdout, stderr]
}
