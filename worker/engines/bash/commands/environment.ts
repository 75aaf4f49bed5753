import type { CommandContext } from '../just-bash.ts'
import { quoted } from '../text/quoted.ts'
import { type Answer, done, failed, type OwnCommand } from './command.ts'
import { isGiven, readOptions } from './options.ts'
import { original } from './wrapper.ts'

const PRINTENV = { null: { type: 'boolean', short: '0' } } as const

/** `printenv [-0] [name…]`. */
export const printenv: OwnCommand = {
  name: 'printenv',
  run(args, { exportedEnv = {} }) {
    const read = readOptions('printenv', args, PRINTENV)
    if (!isGiven(read)) return read
    const end = read.flags.has('null') ? '\0' : '\n'
    const { operands } = read
    if (operands.length === 0) return done(listing(exportedEnv, end))
    const found = operands.flatMap((name) => exportedEnv[name] ?? [])
    return done(found.map((value) => `${value}${end}`).join(''), found.length === operands.length ? 0 : 1)
  },
}

/** `env` shows and gives what is exported. */
export const env: OwnCommand = {
  name: 'env',
  run(args, context) {
    let variables: Record<string, string> = { ...context.exportedEnv }
    let isEmptied = false
    let end = '\n'
    for (let at = 0; at < args.length; at += 1) {
      const arg = args[at] ?? ''
      const unset = /^(?:-u|--unset=)(.+)$/.exec(arg)?.[1]
      const assignment = /^([^=]+)=(.*)$/s.exec(arg)
      if (arg === '-i' || arg === '-' || arg === '--ignore-environment') {
        variables = {}
        isEmptied = true
      } else if (arg === '-0' || arg === '--null') end = '\0'
      else if (unset !== undefined) delete variables[unset]
      else if (arg === '-u' || arg === '--unset') {
        at += 1
        delete variables[args[at] ?? '']
      } else if (assignment !== null && !arg.startsWith('-'))
        variables = { ...variables, [assignment[1] ?? '']: assignment[2] ?? '' }
      else if (isEmptied) return runWith(variables, args.slice(at), context)
      else return original('env', [...hidden(context), ...args], context)
    }
    return done(listing(variables, end))
  },
}

/** Runs a command with these variables alone: those of just-bash's own `env -i` are not exported. */
async function runWith(
  variables: Readonly<Record<string, string>>,
  command: readonly string[],
  { exec, cwd, stdin, signal }: CommandContext,
): Promise<Answer> {
  if (exec === undefined) return failed('env', 'commands cannot be run here', 126)
  const wrong = Object.keys(variables).find((name) => !/^[A-Za-z_]\w*$/.test(name))
  if (wrong !== undefined) return failed('env', `${wrong}: a variable of this name is not known here`, 125)
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`)
  // A shell exports its directory, and what `env` starts is no shell.
  return exec(`export -n PWD; ${[...assignments, ...command.map(quoted)].join(' ')}`, {
    cwd,
    env: {},
    replaceEnv: true,
    stdin: String(stdin),
    stdinKind: 'bytes',
    ...(signal === undefined ? {} : { signal }),
  })
}

/** just-bash's `env` gives a program every variable: these options take away those that are not exported. */
function hidden({ env: variables, exportedEnv = {} }: CommandContext): string[] {
  return [...variables.keys()]
    .filter((name) => !Object.hasOwn(exportedEnv, name))
    .flatMap((name) => ['-u', name])
}

function listing(variables: Readonly<Record<string, string>>, end: string): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}${end}`)
    .join('')
}
