import type { CodeRequest, CommandOutput } from '../../../src/contract/shell-api.ts'
import { guardedRemove } from './guards/remove-file.ts'
import { guardedWrite } from './guards/write-file.ts'
import type { NativeShell } from './native-shell.ts'
import { type CommandLimits, runCommand } from './run-command.ts'
import { readingScript, withFiles } from './stdin.ts'
import { loadTranslation } from './translate/load.ts'

/** Runs source code with an interpreter: staged in a temporary file that is removed whatever happens. */
export async function runCode(
  shell: NativeShell,
  { code, language, scope, stdin }: CodeRequest,
  limits: CommandLimits,
): Promise<CommandOutput> {
  const path = `/tmp/code_${crypto.randomUUID()}`
  const translated =
    language === 'sh' ? await loadTranslation().translateCode(shell, code, stdin !== undefined) : code
  if (typeof translated !== 'string') {
    const { status, stdout, stderr } = translated
    return { exitCode: status, stdout, stderr, timedOut: false, truncated: false, durationMs: 0 }
  }
  const staged = await guardedWrite(shell, path, new TextEncoder().encode(translated), limits.maxFileSize)
  if (!staged.ok) {
    const stderr = `The code could not be staged: ${staged.error.message}\n`
    return { exitCode: 1, stdout: '', stderr, timedOut: false, truncated: false, durationMs: 0 }
  }
  const run = (input?: string) => {
    const command = commandOf(language, path, input)
    return runCommand(shell, scope === undefined ? { command } : { command, scope }, limits, true)
  }
  try {
    return await (stdin === undefined ? run() : withFiles(shell, [stdin], limits.maxFileSize, run))
  } finally {
    // The code may have removed its own file: that is as good.
    await guardedRemove(shell, path)
  }
}

/** The engine's `sh FILE` loses what the file prints on standard error: a subshell of the session does not. */
function commandOf(language: string, path: string, input: string | undefined): string {
  if (input === undefined) return language === 'sh' ? `(set --; . ${path})` : `${language} ${path}`
  return language === 'sh' ? `(set --; ${readingScript(path, input)})` : `${language} ${path} < ${input}`
}
