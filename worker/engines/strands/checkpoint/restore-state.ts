import type { NativeShell } from '../native-shell.ts'
import { quoted } from '../quoting.ts'
import { readNames, type SessionState } from './session-state.ts'
import { wrongFact } from './wrong-fact.ts'

/** Has the value of the word that a command is given literally. */
const VALUE = '__ssr_value'

/** Gives a shell that has run nothing the variables, parameters, mask and directory of a session. */
export async function restoreState(shell: NativeShell, state: SessionState): Promise<void> {
  const { variables, args, umask, cwd } = state
  const fresh = await readNames(shell)
  await enter(shell, cwd)
  const unwanted = ['OLDPWD', ...fresh].filter((name) => !variables.has(name))
  if (unwanted.length > 0) await run(shell, `'unset' ${unwanted.join(' ')}`)
  for (const [name, value] of variables) await shell.setEnv(name, value)
  await restoreArgs(shell, args)
  await run(shell, `'umask' ${umask}`)
}

/** What would act on the commands before it. */
export async function restoreLast(
  shell: NativeShell,
  { aliases, readonly, options }: SessionState,
): Promise<void> {
  for (const [name, value] of aliases) {
    await shell.setEnv(VALUE, `${name}=${value}`)
    await run(shell, `'alias' "$${VALUE}"''`)
  }
  if (readonly.size > 0) await run(shell, `'readonly' ${[...readonly].join(' ')}`)
  await run(shell, `'unset' ${VALUE}`)
  if (options !== '') await run(shell, `'set' -${options}`)
}

/** A directory that is gone can be that of a session: it is made, and removed again. */
async function enter(shell: NativeShell, cwd: string): Promise<void> {
  const path = quoted(cwd)
  const missing = await shell.run(`'cd' ${path}`)
  if (missing.status === 0) return
  await run(shell, `'mkdir' '-p' ${path} && 'cd' ${path}`)
  const names = cwd.split('/')
  for (let end = names.length; end > 1; end--) {
    const removed = await shell.run(`'rmdir' ${quoted(names.slice(0, end).join('/'))}`)
    if (removed.status !== 0) break
  }
}

async function restoreArgs(shell: NativeShell, args: readonly string[]): Promise<void> {
  if (args.length === 0) return
  const names = args.map((_, at) => VALUE + at)
  for (const [at, name] of names.entries()) await shell.setEnv(name, args[at] ?? '')
  // The engine drops an empty word that is only an expansion.
  await run(shell, `'set' '--' ${names.map((name) => `"$${name}"''`).join(' ')}`)
  await run(shell, `'unset' ${names.join(' ')}`)
}

async function run(shell: NativeShell, command: string): Promise<void> {
  const { status } = await shell.run(command)
  if (status !== 0) throw wrongFact()
}
