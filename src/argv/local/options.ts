import { refuse, requirePath } from '../../sandbox/arguments.ts'
import { ENV_KEY_PATTERN } from '../../sandbox/env.ts'
import { showValue } from '../../sandbox/show-value.ts'
import {
  requireBoolean,
  requireKnownKeys,
  requireMaxOutput,
  requireTexts,
  resolveExecOptions,
} from '../arguments.ts'

/** Options of a {@link LocalSandbox}. */
export interface LocalSandboxOptions {
  /**
   * The workdir, made if it is missing. A relative path is taken from the working directory at construction.
   *
   * @default undefined (a fresh temporary directory)
   */
  readonly path?: string | undefined
  /**
   * Whether `close()`, or the end of this process, removes the workdir.
   *
   * @default true without a `path`, false with one
   */
  readonly cleanup?: boolean | undefined
  /**
   * Seconds a program may run when its call does not say: a positive number of at most 86400 (a day).
   *
   * @default 60
   */
  readonly timeout?: number | undefined
  /**
   * Characters of output to keep; a line at the end says what was cut.
   *
   * @default 100_000
   */
  readonly maxOutput?: number | undefined
  /**
   * Variables of every program.
   *
   * @default {}
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * What programs see of this process's own environment besides `PATH` and some harmless variables: further
   * names, or `true` for all of it, secrets included.
   *
   * @default [] (nothing more)
   */
  readonly inheritEnv?: true | readonly string[] | undefined
  /**
   * The languages the sandbox says it supports; what runs is a `CodeAdapter`'s to say.
   *
   * @default ['python', 'bash']
   */
  readonly languages?: readonly string[] | undefined
}

/** The options, validated and copied. */
export interface ResolvedLocalOptions {
  readonly path: string | undefined
  readonly cleanup: boolean
  readonly timeout: number
  readonly maxOutput: number
  readonly env: Readonly<Record<string, string>>
  readonly inheritEnv: true | readonly string[]
  readonly languages: readonly string[]
}

const KEYS = ['path', 'cleanup', 'timeout', 'maxOutput', 'env', 'inheritEnv', 'languages']

/** @throws SandboxConfigError naming the option at fault; never the value of a variable. */
export function resolveLocalOptions(options: LocalSandboxOptions): ResolvedLocalOptions {
  requireKnownKeys(options, KEYS)
  const { languages = ['python', 'bash'] } = options
  const path = options.path === undefined ? undefined : requirePath(options.path)
  const { env, timeout = 60 } = resolveExecOptions({ env: options.env, timeout: options.timeout })
  return {
    path,
    cleanup: options.cleanup === undefined ? path === undefined : requireBoolean(options.cleanup, 'cleanup'),
    timeout,
    maxOutput: requireMaxOutput(options.maxOutput),
    env,
    inheritEnv: requireInheritEnv(options.inheritEnv),
    languages: requireTexts(languages, 'languages'),
  }
}

function requireInheritEnv(value: unknown = []): true | readonly string[] {
  if (value === true) return true
  const names = requireTexts(value, 'inheritEnv')
  for (const [index, name] of names.entries()) {
    if (ENV_KEY_PATTERN.test(name)) continue
    throw refuse(`inheritEnv[${index}]`, `must be the name of a variable, but is ${showValue(name)}.`)
  }
  return names
}
