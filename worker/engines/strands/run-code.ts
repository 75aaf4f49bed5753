import type { CodeRequest, CommandOutput } from '../../../src/contract/shell-api.ts'
import { guardedRemove } from './guards/remove-file.ts'
import { guardedWrite } from './guards/write-file.ts'
import type { NativeShell } from './native-shell.ts'
import { type CommandLimits, runCommand } from './run-command.ts'
import { readingScript, withFiles } from './stdin.ts'
import { loadTranslation } from './translate/load.ts'

/** Programs of this package that run source code, with what names its file. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['awk', 'awk -f'],
  ['jq', 'jq -n -f'],
])

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
    const isTranslated = !PROGRAMS.has(language)
    return runCommand(shell, scope === undefined ? { command } : { command, scope }, limits, isTranslated)
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
  if (language === 'sh') return `(set --; ${input === undefined ? `. ${path}` : readingScript(path, input)})`
  const command = `${PROGRAMS.get(language) ?? language} ${path}`
  return input === undefined ? command : `${command} < ${input}`
}
