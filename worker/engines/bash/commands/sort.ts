import { shuf } from './files.ts'
import type { OwnCommand } from './command.ts'
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
    if (has(args, 'R')) return shuf.run(args.filter((arg) => !arg.startsWith('-')), context, interpreter)
    return original('sort', args, context)
  },
}
