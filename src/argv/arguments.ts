import { posix } from 'node:path'
import {
  refuse,
  requireOptions,
  requirePath,
  requireText,
  resolveExecuteOptions,
} from '../sandbox/arguments.ts'
import { SandboxAbortError } from '../sandbox/errors.ts'
import { kindOf, quote, showValue } from '../sandbox/show-value.ts'
import type { ExecOptions } from './argv-sandbox.ts'

/** The options of one exec, validated; absent ones are absent. */
export interface ResolvedExecOptions {
  readonly env: Readonly<Record<string, string>>
  /** Seconds. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** @throws SandboxConfigError naming the word at fault, such as `argv[1]`. */
export function requireArgv(argv: unknown): readonly string[] {
  if (!Array.isArray(argv)) throw refuse('argv', `must be an array of strings, but is ${kindOf(argv)}.`)
  return Array.from(argv, (word, index) => requireText(word, `argv[${index}]`))
}

/** The names of {@link ExecOptions}. `cwd` is none: programs begin in the directory of the sandbox. */
const EXEC_OPTIONS: readonly (keyof ExecOptions)[] = ['env', 'timeout', 'signal']

/** @throws SandboxConfigError naming the option at fault, also where it is none. */
export function resolveExecOptions(options?: ExecOptions): ResolvedExecOptions {
  const { env = [], timeout, signal } = resolveExecuteOptions(options, EXEC_OPTIONS)
  return {
    env: Object.fromEntries(env),
    ...(timeout === undefined ? {} : { timeout }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** @throws SandboxAbortError for a signal that is aborted already. */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new SandboxAbortError('The call was aborted before it began.', { cause: signal.reason })
}

/**
 * Refuses options that are no object or have a key that is not known: a misspelt filter must not be no filter.
 *
 * @throws SandboxConfigError naming the key
 */
export function requireKnownKeys(options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw refuse('options', `must be an object, but is ${kindOf(options)}. Leave them out for the defaults.`)
  }
  requireOptions(options, known)
}

/** @throws SandboxConfigError with the field `workdir` for what is no absolute path. */
export function requireWorkdir(workdir: unknown): string {
  const path = requirePath(workdir, 'workdir')
  if (posix.isAbsolute(path)) return posix.resolve(path)
  throw refuse('workdir', `must be an absolute path in the sandbox, but is ${quote(path)}.`)
}

/** @throws SandboxConfigError naming the item, such as `allowed[0]`, for what is no list of texts. */
export function requireTexts(list: unknown, field: string): readonly string[] {
  if (!Array.isArray(list)) throw refuse(field, `must be an array of strings, but is ${kindOf(list)}.`)
  return Array.from(list, (item, index) => requireText(item, `${field}[${index}]`))
}

/** @throws SandboxConfigError with the field, for what is no boolean. */
export function requireBoolean(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw refuse(field, `must be true or false, but is ${kindOf(value)}.`)
  return value
}

/** @throws SandboxConfigError with the field `maxOutput`. */
export function requireMaxOutput(value: number = 100_000): number {
  if (Number.isSafeInteger(value) && value > 0) return value
  throw refuse('maxOutput', `must be a positive number of characters, but is ${showValue(value)}.`)
}
