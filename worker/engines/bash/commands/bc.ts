import { BcError, runBc } from '../arithmetic/bc.ts'
import { done, failed, type OwnCommand, readInput, reason } from './command.ts'

/** `bc [-l] [file]`: expressions, variables, `scale`, comparisons, `sqrt`; no functions of one's own. */
export const bc: OwnCommand = {
  name: 'bc',
  async run(args, context) {
    const library = args.some((arg) => /^-\w*l|^--mathlib$/.test(arg))
    try {
      const files = await Promise.all(
        args.filter((arg) => !arg.startsWith('-')).map((path) => readInput(path, context)),
      )
      return done(runBc(files.join('') + String(context.stdin), library))
    } catch (error) {
      return failed('bc', error instanceof BcError ? error.message : reason(error))
    }
  },
}
