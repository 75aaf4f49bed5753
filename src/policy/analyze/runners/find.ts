import type { Runner } from './context.ts'
import { withUnknown } from './xargs.ts'

const actions: readonly (string | undefined)[] = ['-exec', '-execdir', '-ok', '-okdir']

/** It runs what follows `-exec`, up to `;` or `+`: what looks like an `-exec` before that is taken for one, too. */
export const find: Runner = (args, context) => {
  for (const [at, arg] of args.entries()) {
    // What is only known at run time may be an `-exec`.
    if (arg.value === undefined && !/^[^-(!,]/.test(arg.prefix)) context.opaque('name')
    if (!actions.includes(arg.value)) continue
    const rest = args.slice(at + 1)
    const end = rest.findIndex(
      ({ value }, index) => value === ';' || (value === '+' && index > 0 && rest[index - 1]?.value === '{}'),
    )
    const words = end === -1 ? rest : rest.slice(0, end)
    context.run(withUnknown(words, '{}'))
  }
}
