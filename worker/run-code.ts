import { randomUUID } from 'node:crypto'
import type { CodeRequest, CommandOutput } from '../src/contract/shell-api.ts'
import type { NativeShell } from './native-shell.ts'
import { type CommandLimits, runCommand } from './run-command.ts'

/** Runs source code as `<language> <file>`: staged in a temporary file that is removed whatever happens. */
export async function runCode(
  shell: NativeShell,
  { code, language, scope }: CodeRequest,
  limits: CommandLimits,
): Promise<CommandOutput> {
  const path = `/tmp/code_${randomUUID()}`
  try {
    await shell.writeFile(path, new TextEncoder().encode(code))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { exitCode: 1, stdout: '', stderr: `The code could not be staged in ${path}: ${reason}\n` }
  }
  const command = `${language} ${path}`
  try {
    return await runCommand(shell, scope === undefined ? { command } : { command, scope }, limits)
  } finally {
    await shell.removeFile(path).catch(() => {
      // The code may have removed its own file, or the shell may be gone: nothing is left to remove.
    })
  }
}
