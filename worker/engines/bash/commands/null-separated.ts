import type { CommandContext } from '../just-bash.ts'
import { type Answer, failed, readInput, withStdout } from './command.ts'

const swap = (text: string) => text.replaceAll(/[\0\n]/g, (character) => (character === '\0' ? '\n' : '\0'))

/** Runs a filter on stdin with lines that end in a byte 0: lines and such bytes change places around it. */
export async function nullSeparated(
  name: string,
  args: readonly string[],
  context: CommandContext,
): Promise<Answer> {
  const words = [name, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  if (context.exec === undefined) return failed(name, 'commands cannot be run here', 126)
  const answer = await context.exec(words.join(' '), {
    cwd: context.cwd,
    env: { ...context.exportedEnv },
    stdin: swap(await readInput(undefined, context)),
    stdinKind: 'bytes',
  })
  return withStdout(answer, swap(answer.stdout))
}
