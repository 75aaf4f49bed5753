import { GUARDED_TESTS } from '../guards/test-operands.ts'
import { runScript } from '../mirror/sandbox/script.ts'
import type { NativeShell } from '../native-shell.ts'
import { loadTranslation } from '../translate/load.ts'
import { readAliases } from './aliases.ts'
import { untold } from './untold.ts'

/** What a session has beside its files and functions. */
export interface SessionState {
  readonly variables: ReadonlyMap<string, string>
  /** Names of variables. */
  readonly readonly: ReadonlySet<string>
  readonly aliases: ReadonlyMap<string, string>
  /** The positional parameters. */
  readonly args: readonly string[]
  readonly cwd: string
  /** As `umask` prints it. */
  readonly umask: string
  /** Letters of `set`. */
  readonly options: string
  /** `set -o pipefail` acts, was taken back, or has never been. */
  readonly pipefail: 'on' | 'off' | 'never'
  /** The status of the last command. */
  readonly status: number
}

/** What pipelines look at. */
export const PIPEFAIL = '__ssr_pipefail'

/** What the runtime has in every session. */
const OWN_NAMES = '__ssr_'

/** Reads the state of a session. @param status - of its last command: reading changes `$?`. */
export async function readState(shell: NativeShell, status: number): Promise<SessionState> {
  const options = await readOptions(shell)
  const [listed = '', aliases = '', cwd = '', umask = '', count = '', ...args] = await readParts(shell)
  const variables = await readVariables(shell, namesIn(listed))
  if (Number(count) !== args.length) throw untold()
  return {
    variables,
    readonly: await readReadonly(shell, [...variables.keys()]),
    aliases: withoutGuards(readAliases(aliases)),
    args,
    cwd: cwd.slice(0, -1),
    umask: umask.trim(),
    options,
    pipefail: await readPipefail(shell),
    status,
  }
}

async function readOptions(shell: NativeShell): Promise<string> {
  const ends = await shell.run(`( ('exit' 1); 'echo' 'on')`)
  const misses = await shell.run(`(':' "$__ssr_none"; 'echo' 'on')`)
  return `${ends.stdout === '' ? 'e' : ''}${misses.stdout === '' ? 'u' : ''}${ends.stderr.startsWith('+') ? 'x' : ''}`
}

async function readPipefail(shell: NativeShell): Promise<SessionState['pipefail']> {
  if (!loadTranslation().sessionOf(shell).pipefail) return 'never'
  return (await shell.getEnv(PIPEFAIL)) ? 'on' : 'off'
}

/** What may be the names of variables: a line of a value can look like one. */
export async function readNames(shell: NativeShell): Promise<readonly string[]> {
  return namesIn(await printed(shell, `'set'`))
}

/** @param listed - what `set` prints. */
function namesIn(listed: string): readonly string[] {
  const names = listed.match(/^[A-Za-z_]\w*(?==)/gm) ?? []
  return [...new Set(names)].filter((name) => !name.startsWith(OWN_NAMES))
}

async function readVariables(
  shell: NativeShell,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>()
  for (const name of names) {
    const value = await shell.getEnv(name)
    if (typeof value === 'string') values.set(name, value)
  }
  return values
}

async function readReadonly(shell: NativeShell, names: readonly string[]): Promise<ReadonlySet<string>> {
  const tests = names.map((name, at) => `'unset' ${name}; '[' "x\${${name}+y}" = 'xy' ']' && 'echo' ${at}`)
  const found = (await printed(shell, tests.join('; ') || `':'`)).split('\n').slice(0, -1)
  return new Set(found.map((at) => names[Number(at)] ?? ''))
}

/** What `set`, `alias`, `pwd` and `umask` print, the number of the positional parameters, and each of them. */
async function readParts(shell: NativeShell): Promise<readonly string[]> {
  const end = "'printf' '\\0'"
  const parts = `'set'; ${end}; 'alias'; ${end}; 'pwd'; ${end}; 'umask'; ${end}; 'printf' '%s\\0' "$#" "$@"`
  return (await printed(shell, parts)).split('\0').slice(0, -1)
}

/** The aliases that lead to guards are those of every session. */
function withoutGuards(aliases: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...aliases].filter(([name, value]) => GUARDED_TESTS.get(name) !== value))
}

async function printed(shell: NativeShell, command: string): Promise<string> {
  const output = await runScript(shell, [command])
  if (output === undefined) throw untold()
  return output
}
