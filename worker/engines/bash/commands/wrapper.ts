import type { CommandContext } from '../just-bash.ts'
import { type Answer, failed, type OwnCommand } from './command.ts'

/** What a command's words are rewritten to, or an answer instead of it. */
export type Rewrite = (
  args: readonly string[],
  context: CommandContext,
) => readonly string[] | Answer | Promise<readonly string[] | Answer>

/** just-bash's command of that name, with its words rewritten. */
export function rewriting(name: string, rewrite: Rewrite): OwnCommand {
  return {
    name,
    async run(args, context) {
      const words = await rewrite(args, context)
      return isAnswer(words) ? words : original(name, words, context)
    },
  }
}

function isAnswer(words: readonly string[] | Answer): words is Answer {
  return !Array.isArray(words)
}

export async function original(
  name: string,
  args: readonly string[],
  context: CommandContext,
): Promise<Answer> {
  return (await context.origCommand?.([...args])) ?? failed(name, 'command not found', 127)
}

/** `-n1 -I{}` as `-n 1 -I {}` for the letters that take a value. */
export function detach(args: readonly string[], letters: string): string[] {
  const words: string[] = []
  for (const [at, arg] of args.entries()) {
    const [dash, letter = ''] = arg
    if (dash !== '-' || letter === '' || letter === '-') {
      const before = args[at - 1] ?? ''
      const isValue = before.length === 2 && before.startsWith('-') && letters.includes(before.slice(1))
      if (!arg.startsWith('-') && !isValue) return [...words, ...args.slice(at)]
      words.push(arg)
    } else if (letters.includes(letter) && arg.length > 2) words.push(`-${letter}`, arg.slice(2))
    else words.push(arg)
  }
  return words
}
