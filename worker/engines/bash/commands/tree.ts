import { done, type OwnCommand } from './command.ts'
import { original } from './wrapper.ts'

/** Options of `tree` that have a value. */
const TAKES_VALUE = /^-[LIPo]$/

/** `tree`: just-bash does not count the directories that are named, as version 2 does. */
export const tree: OwnCommand = {
  name: 'tree',
  async run(args, context) {
    const answer = await original('tree', args, context)
    const named = args.filter((arg, at) => !arg.startsWith('-') && !TAKES_VALUE.test(args[at - 1] ?? ''))
    let roots = 0
    for (const name of named.length === 0 ? ['.'] : named) {
      const stat = await context.fs.stat(context.fs.resolvePath(context.cwd, name)).catch(() => undefined)
      if (stat?.isDirectory === true) roots += 1
    }
    const text = answer.stdout.replace(
      /(?<=\n)(\d+) director(?:y|ies)(?=(?:, \d+ files?)?\n$)/,
      (_, told) => {
        const count = Number(told) + roots
        return `${count} director${count === 1 ? 'y' : 'ies'}`
      },
    )
    return { ...answer, ...done(text, answer.exitCode), stderr: answer.stderr }
  },
}
