import type { CommandContext, ExecResult } from '../just-bash.ts'
import { quoted } from '../text/quoted.ts'
import { failed } from './command.ts'

type Options = Parameters<NonNullable<CommandContext['exec']>>[1]

/**
 * Runs words as a command of the script, with what that has exported.
 *
 * @param name - of the program that runs them.
 * @param changes - where it is not to have the directory, input and signal of that program.
 */
export async function runWords(
  name: string,
  words: readonly string[],
  context: CommandContext,
  changes: Partial<Options> = {},
): Promise<ExecResult> {
  if (context.exec === undefined) return failed(name, 'commands cannot be run here', 126)
  return context.exec(words.map(quoted).join(' '), {
    cwd: context.cwd,
    env: { ...context.exportedEnv },
    stdin: String(context.stdin),
    stdinKind: 'bytes',
    ...(context.signal === undefined ? {} : { signal: context.signal }),
    ...changes,
  })
}
