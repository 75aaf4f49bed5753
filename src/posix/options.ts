import { basename } from 'node:path'
import { copyEnv, refuse, requirePath, requireText, requireTimeout } from '../sandbox/arguments.ts'
import { optionsOf, within } from '../sandbox/options-of.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'

/** What every sandbox of a POSIX shell can be told. Durations are in seconds. */
export interface ShellOptions {
  /**
   * The shell: a name on the place's PATH, or a path.
   *
   * @default 'sh'
   */
  readonly shell?: string | undefined
  /**
   * Environment variables of every command.
   *
   * @default {}
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * What the client process, such as `ssh`, inherits of this process's environment besides `PATH`, `HOME`, `LANG`,
   * `LC_*`, `TERM`, `TZ`, `TMPDIR`, `USER`, `LOGNAME`, `SHELL` and what the client needs to find its server: `true` for
   * everything, or further names. A local shell hands it on to its commands; a remote one has its own.
   *
   * @default false
   */
  readonly inheritEnv?: boolean | readonly string[] | undefined
  /**
   * The directory that commands start in, and that relative paths are taken from.
   *
   * @default undefined (where the shell starts)
   */
  readonly cwd?: string | undefined
  /**
   * Seconds after which a call without a `timeout` of its own rejects with `SandboxTimeoutError`: at most 86400 (a day).
   *
   * @default undefined (never)
   */
  readonly timeout?: number | undefined
  /**
   * Bytes that are kept of each of a command's output streams: the first. What is more is dropped, and a line at the end
   * of `stderr` says so. Files are not held to it.
   *
   * @default 1 MiB
   */
  readonly maxOutput?: number | undefined
  /**
   * Seconds between SIGTERM and SIGKILL where a command is stopped: from 0 to 600.
   *
   * @default 2
   */
  readonly killGrace?: number | undefined
}

/** Options of a `CommandSandbox`. */
export interface CommandSandboxOptions extends ShellOptions {
  /**
   * The words before the shell's that reach the place it runs in, such as `['docker', 'exec', '-i', id]` or
   * `['kubectl', 'exec', '-i', pod, '--']`. The program must pass standard input on. Empty for a shell of this machine.
   */
  readonly command: readonly string[]
  /**
   * Whether the program joins its arguments to one line for a remote shell, as `ssh` does, so that they are quoted.
   *
   * @default whether the program is `ssh`
   */
  readonly joinsArguments?: boolean | undefined
}

/** {@link CommandSandboxOptions} with everything present and valid. */
export interface ResolvedCommandOptions {
  readonly command: readonly string[]
  readonly joinsArguments: boolean
  readonly shell: string
  readonly env: Readonly<Record<string, string>>
  readonly inheritEnv: boolean | readonly string[]
  readonly cwd: string | undefined
  readonly timeout: number | undefined
  readonly maxOutput: number
  readonly killGrace: number
}

/** The names of {@link ShellOptions}. */
export const SHELL_OPTION_NAMES = [
  'shell',
  'env',
  'inheritEnv',
  'cwd',
  'timeout',
  'maxOutput',
  'killGrace',
] as const satisfies readonly (keyof ShellOptions)[]

const MOST_OUTPUT = 256 * 1024 * 1024
const MOST_GRACE = 600

/** @throws SandboxConfigError naming the option that is not valid */
export function resolveCommandOptions(options: unknown): ResolvedCommandOptions {
  const given = optionsOf<CommandSandboxOptions>(options, [
    'command',
    'joinsArguments',
    ...SHELL_OPTION_NAMES,
  ])
  const command = words('command', given.command)
  const { env, cwd, timeout } = given
  return {
    command,
    joinsArguments: flag('joinsArguments', given.joinsArguments ?? basename(command[0] ?? '') === 'ssh'),
    shell: word('shell', given.shell ?? 'sh'),
    env: Object.fromEntries(env === undefined ? [] : copyEnv(env)),
    inheritEnv: inherited(given.inheritEnv ?? false),
    cwd: cwd === undefined ? undefined : requirePath(cwd, 'cwd'),
    timeout: timeout === undefined ? undefined : requireTimeout(timeout),
    maxOutput: within('maxOutput', given.maxOutput ?? 1024 * 1024, {
      least: 1,
      most: MOST_OUTPUT,
      unit: 'bytes',
      isWhole: true,
    }),
    killGrace: within('killGrace', given.killGrace ?? 2, { least: 0, most: MOST_GRACE, unit: 'seconds' }),
  }
}

/** A word that no shell or program takes for an option. @throws SandboxConfigError naming the field */
function word(field: string, value: unknown): string {
  const text = requireText(value, field)
  if (text !== '' && !text.startsWith('-')) return text
  throw refuse(field, `must be a name or a path that does not begin with "-", but is ${showValue(text)}.`)
}

/** A text of the pattern. @throws SandboxConfigError naming the field and what is expected */
export function matching(field: string, value: unknown, pattern: RegExp, expected: string): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  throw refuse(field, `must be ${expected}, but is ${showValue(value)}.`)
}

function words(field: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw refuse(field, `must be an array of words, but is ${kindOf(value)}.`)
  const texts = Array.from(value, (item: unknown, index) => requireText(item, `${field}[${index}]`))
  if (texts.length > 0) word(`${field}[0]`, texts[0])
  return texts
}

function flag(field: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw refuse(field, `must be true or false, but is ${showValue(value)}.`)
}

function inherited(value: unknown): boolean | readonly string[] {
  if (typeof value === 'boolean') return value
  if (Array.isArray(value))
    return Array.from(value, (name: unknown, index) => word(`inheritEnv[${index}]`, name))
  throw refuse('inheritEnv', `must be true, false or an array of names, but is ${kindOf(value)}.`)
}
