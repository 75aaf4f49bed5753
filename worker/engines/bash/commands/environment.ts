import { done, type OwnCommand } from './command.ts'
import { rewriting } from './wrapper.ts'

/** `env` gives, and shows, exported variables alone: just-bash's takes all of the shell's. */
export const env = rewriting('env', (args, { env: variables, exportedEnv = {} }) => {
  const hidden = [...variables.keys()].filter((name) => !Object.hasOwn(exportedEnv, name))
  return [...hidden.flatMap((name) => ['-u', name]), ...args]
})

/** `printenv [NAME]…`, of exported variables alone. */
export const printenv: OwnCommand = {
  name: 'printenv',
  run(args, { exportedEnv = {} }) {
    const names = args.filter((arg) => !arg.startsWith('-'))
    if (names.length === 0) return done(linesOf(Object.entries(exportedEnv).map((pair) => pair.join('='))))
    const values = names.flatMap((name) =>
      Object.hasOwn(exportedEnv, name) ? [exportedEnv[name] ?? ''] : [],
    )
    return done(linesOf(values), values.length === names.length ? 0 : 1)
  },
}

const linesOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
