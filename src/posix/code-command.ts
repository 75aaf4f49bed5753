import { requireCode } from '../sandbox/arguments.ts'
import { validateLanguage } from '../sandbox/language.ts'
import type { ExecuteOptions } from '../sandbox/results.ts'
import { runCode, runStagedCode, stagingName } from './file-scripts.ts'

/**
 * The command that runs a program: from its interpreter's standard input, or, where the options need that, from a file.
 *
 * @throws SandboxConfigError with the field `code` or `language`
 */
export function codeCommand(code: string, language: string, options: ExecuteOptions | undefined): string {
  const [text, interpreter] = [requireCode(code), validateLanguage(language)]
  const isRead = options?.stdin !== undefined && options.stdin.length > 0
  return isRead ? runStagedCode(text, interpreter, stagingName()) : runCode(text, interpreter)
}
