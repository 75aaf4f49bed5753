import { evaluate } from '../arithmetic/evaluate.ts'
import { expanded } from '../arithmetic/template.ts'
import { ArithmeticError } from '../arithmetic/tokens.ts'
import { ARITHMETIC, NO_NAME } from '../transform/arithmetic.ts'
import { done, failed, type OwnCommand } from './command.ts'

/** Variables whose value is made when they are read. */
const DYNAMIC: Readonly<Record<string, () => string>> = {
  RANDOM: () => String(Math.floor(Math.random() * 32_768)),
  SRANDOM: () => String(Math.floor(Math.random() * 2 ** 32)),
  EPOCHSECONDS: () => String(Math.floor(Date.now() / 1000)),
}

/** The letters of `$-`, in their order. `h`, `B` and `c` always hold. */
const FLAGS: readonly (readonly [letter: string, option: string])[] = [
  ['a', 'allexport'],
  ['e', 'errexit'],
  ['f', 'noglob'],
  ['h', ''],
  ['n', 'noexec'],
  ['u', 'nounset'],
  ['v', 'verbose'],
  ['x', 'xtrace'],
  ['B', ''],
  ['C', 'noclobber'],
  ['c', ''],
]

function flagsOf(options = ''): string {
  const set = new Set(['', ...options.split(':')])
  return FLAGS.map(([letter, option]) => (set.has(option) ? letter : '')).join('')
}

/** `__arith name template words…`: without a name, the value is the status, as for `(( ))`. */
export const arithmetic: OwnCommand = {
  name: ARITHMETIC,
  async run([name = NO_NAME, template = '', ...words], context, { current }) {
    const written = new Map<string, string>()
    const variables = {
      get: (variable: string) => DYNAMIC[variable]?.() ?? written.get(variable) ?? context.env.get(variable),
      set: (variable: string, value: string) => void written.set(variable, value),
    }
    try {
      if (template === '!') {
        await context.assignShellVariable?.(name, String(current?.jobs.last ?? ''))
        return done()
      }
      if (template === '-') {
        await context.assignShellVariable?.(name, flagsOf(context.env.get('SHELLOPTS')))
        return done()
      }
      if (template === 'EPOCHREALTIME') {
        await context.assignShellVariable?.(name, (Date.now() / 1000).toFixed(6))
        return done()
      }
      const value = evaluate(expanded(template, words), words, variables)
      if (name !== NO_NAME) written.set(name, String(value))
      for (const [variable, text] of written) await context.assignShellVariable?.(variable, text)
      return done('', name === NO_NAME && value === 0n ? 1 : 0)
    } catch (error) {
      if (error instanceof ArithmeticError) return failed('bash', error.message)
      throw error
    }
  },
}
