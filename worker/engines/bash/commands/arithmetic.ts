import { evaluate } from '../arithmetic/evaluate.ts'
import { ArithmeticError } from '../arithmetic/tokens.ts'
import { ARITHMETIC } from '../transform/arithmetic.ts'
import { done, failed, type OwnCommand } from './command.ts'

/** `__arith name template words…`: without a name, the value is the status, as for `(( ))`. */
export const arithmetic: OwnCommand = {
  name: ARITHMETIC,
  async run([name = '', template = '', ...words], context) {
    const written = new Map<string, string>()
    const variables = {
      get: (variable: string) =>
        variable === 'RANDOM'
          ? String(Math.floor(Math.random() * 32_768))
          : (written.get(variable) ?? context.env.get(variable)),
      set: (variable: string, value: string) => void written.set(variable, value),
    }
    try {
      const value = evaluate(template, words, variables)
      if (name !== '') written.set(name, String(value))
      for (const [variable, text] of written) await context.assignShellVariable?.(variable, text)
      return done('', name === '' && value === 0n ? 1 : 0)
    } catch (error) {
      if (error instanceof ArithmeticError) return failed('bash', error.message)
      throw error
    }
  },
}
