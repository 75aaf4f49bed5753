import { runBc } from '../arithmetic/bc.ts'
import { BcLimit } from '../arithmetic/bc-errors.ts'
import { type Answer, failed, type OwnCommand, readInput } from './command.ts'

/**
 * `bc [-l] [file]`: expressions, variables, `scale`, comparisons, and the functions of `-l`; no statements such as `if`, and no
 * functions of one's own.
 */
export const bc: OwnCommand = {
  name: 'bc',
  async run(args, context, { stop }): Promise<Answer> {
    const library = args.some((arg) => /^-\w*l|^--mathlib$/.test(arg))
    let script = ''
    for (const path of args.filter((arg) => !arg.startsWith('-'))) {
      try {
        script += await readInput(path, context)
      } catch {
        // bc says this whatever the reason is.
        return { stdout: '', stderr: `File ${path} is unavailable.\n`, exitCode: 1 }
      }
    }
    try {
      const { stdout, stderr } = runBc(script + String(context.stdin), library, () => stop.step())
      return { stdout, stderr, exitCode: 0, stdoutKind: 'text' }
    } catch (error) {
      if (error instanceof BcLimit) return failed('bc', error.message)
      throw error
    }
  },
}
