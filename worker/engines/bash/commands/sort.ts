import type { CommandContext } from '../just-bash.ts'
import type { OwnCommand } from './command.ts'
import { type Answer, readInput, withStdout } from './command.ts'
import { shuf } from './files.ts'
import { nullSeparated } from './null-separated.ts'
import { original } from './wrapper.ts'

const without = (args: readonly string[], letter: string) =>
  args
    .map((arg) => (/^-[a-zA-Z]+$/.test(arg) && !/^-[ktoS]/.test(arg) ? arg.replace(letter, '') : arg))
    .filter((arg) => arg !== '-')

const has = (args: readonly string[], letter: string) =>
  args.some((arg) => /^-[a-zA-Z]+$/.test(arg) && !/^-[ktoS]/.test(arg) && arg.includes(letter))

/** `sort` with `-z` and `-R`. */
export const sort: OwnCommand = {
  name: 'sort',
  run(args, context, interpreter) {
    if (has(args, 'z')) return nullSeparated('sort', without(args, 'z'), context)
    if (has(args, 'R'))
      return shuf.run(
        args.filter((arg) => !arg.startsWith('-')),
        context,
        interpreter,
      )
    const keyed =
      args.some((arg) => /^-[a-zA-Z]*k|^--key/.test(arg)) &&
      !args.some((arg) => /^-[a-zA-Z]*t|^--field/.test(arg))
    return keyed && !args.includes('-o') ? keySorted(args, context) : original('sort', args, context)
  },
}

/** Marks the blanks that stood before a line. */
const LEADING = Buffer.from('\ue001').toString('latin1')

/** Keys by blanks: just-bash counts an empty field before leading ones. They are put behind the line meanwhile. */
async function keySorted(args: readonly string[], context: CommandContext): Promise<Answer> {
  const operands = args.filter(
    (arg, at) => !arg.startsWith('-') && !/^-[a-zA-Z]*[kS]$|^--key$/.test(args[at - 1] ?? ''),
  )
  if (operands.length > 0 || context.exec === undefined) return original('sort', args, context)
  const text = await readInput(undefined, context)
  if (!/^[ \t]/m.test(text)) return original('sort', args, context)
  const moved = text.replaceAll(/^([ \t]+)(.*)$/gm, `$2${LEADING}$1`)
  const words = ['sort', ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  const answer = await context.exec(words.join(' '), { cwd: context.cwd, stdin: moved, stdinKind: 'bytes' })
  return withStdout(answer, answer.stdout.replaceAll(/^(.*)(?:\ue001|\u00ee\u0080\u0081)([ \t]+)$/gm, '$2$1'))
}
