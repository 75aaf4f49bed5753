import { refuse } from './refusal.ts'

/** Variables that bash sets, with what they are here. The engine leaves them empty. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ['EUID', '1000'],
  ['HOSTNAME', 'sandbox'],
  ['HOSTTYPE', 'x86_64'],
  ['MACHTYPE', 'x86_64-pc-linux-gnu'],
  ['OPTIND', '1'],
  ['OSTYPE', 'linux-gnu'],
  ['SHLVL', '1'],
  ['UID', '1000'],
])

/** Variables that bash sets and that are different each time, or that tell what is not known. */
const UNKNOWN: ReadonlySet<string> = new Set(
  'BASH BASHOPTS BASHPID BASH_COMMAND BASH_REMATCH BASH_SOURCE BASH_SUBSHELL BASH_VERSION DIRSTACK EPOCHREALTIME EPOCHSECONDS FUNCNAME GROUPS LINENO PIPESTATUS PPID RANDOM SECONDS SHELLOPTS'.split(
    ' ',
  ),
)

/** The value of a variable that bash sets, where a script gives it none; undefined where it is known when the script runs. */
export function givenByBash(name: string): string | undefined {
  if (UNKNOWN.has(name)) refuse(`$${name}`, 'compute it with lua')
  return VALUES.get(name)
}

/** Whether bash sets a variable. */
export function isGivenByBash(name: string): boolean {
  return name === 'IFS' || VALUES.has(name) || UNKNOWN.has(name)
}
