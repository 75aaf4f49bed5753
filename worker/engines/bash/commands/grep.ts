import { Matcher } from '../grep/matcher.ts'
import { type GrepOptions, readGrep } from '../grep/options.ts'
import { GrepRun } from '../grep/run.ts'
import type { CommandContext } from '../just-bash.ts'
import { PatternError } from '../text/bracket.ts'
import { decode } from '../text/bytes.ts'
import { type Answer, failed, type OwnCommand, readInput, reading, reason } from './command.ts'

/** The patterns of `-e` and `-f`, or of the first operand: one a line. */
async function patternsOf(options: GrepOptions, context: CommandContext): Promise<string[] | Answer> {
  const given = [...options.patterns]
  if (given.length === 0 && options.files.length === 0) {
    const first = options.operands.shift()
    if (first === undefined) return failed('grep', 'Usage: grep [OPTION]... PATTERNS [FILE]...', 2)
    given.push(first)
  }
  const found = given.flatMap((pattern) => pattern.split('\n'))
  for (const file of options.files) {
    try {
      const lines = decode(await readInput(file, context)).split('\n')
      if (lines.at(-1) === '') lines.pop()
      found.push(...lines)
    } catch (error) {
      return failed('grep', `${file}: ${reason(error)}`, 2)
    }
  }
  return found
}

const named = (name: string, kind: GrepOptions['kind']): OwnCommand => ({
  name,
  async run(args, context, interpreter) {
    if (args[0] === '--version' || args[0] === '-V')
      return { stdout: 'grep (GNU grep) 3.11\n', stderr: '', exitCode: 0 }
    const options = readGrep(args, kind)
    if (!('operands' in options)) return options
    const patterns = await patternsOf(options, context)
    if (!Array.isArray(patterns)) return patterns
    if (options.flags.has('T')) return failed('grep', 'option -T is not known here', 2)
    try {
      const matcher = new Matcher(patterns, options)
      const step = () => interpreter.stop.step()
      return await new GrepRun(options, reading(context, interpreter), matcher, step).run(options.operands)
    } catch (error) {
      if (error instanceof PatternError) return failed('grep', error.message, 2)
      throw error
    }
  },
})

export const grep = named('grep', 'basic')
export const egrep = named('egrep', 'extended')
export const fgrep = named('fgrep', 'fixed')
