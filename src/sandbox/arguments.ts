import { types } from 'node:util'
import { isPlain } from '../contract/plain.ts'
import { ENV_KEY_PATTERN, envField, findEnvFault } from './env.ts'
import { SandboxConfigError, SandboxError } from './errors.ts'
import type { ExecuteOptions } from './results.ts'
import { kindOf, showValue } from './show-value.ts'
import { requireStdin } from './stdin.ts'
import { findTextFault } from './text.ts'
import { findOtherThing, findUnknownOption, type OptionFault } from './unknown-option.ts'

/** The longest time limit, in seconds: a day. */
export const MAX_TIMEOUT = 86_400

/** What may cut one call short, validated; absent options are absent. */
export interface ResolvedCallLimits {
  /** Seconds. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** The options of one execution, validated and copied; absent ones are absent. */
export interface ResolvedExecuteOptions extends ResolvedCallLimits {
  readonly cwd?: string
  /** Absent also when it was empty. */
  readonly env?: readonly (readonly [name: string, value: string])[]
  /** The values of `env` that are secrets; absent where there are none. */
  readonly secrets?: readonly string[]
  /** A copy; absent also when it was empty. */
  readonly stdin?: Uint8Array<ArrayBuffer>
}

const NO_OPTIONS: ResolvedExecuteOptions = Object.freeze({})

/** The names of {@link ExecuteOptions}. */
export const EXECUTE_OPTIONS: readonly (keyof ExecuteOptions)[] = [
  'timeout',
  'cwd',
  'env',
  'secretEnv',
  'signal',
  'stdin',
]

/**
 * Validates the options of one call and copies them, reading each once. A name that is none of `known` is refused: a mistyped
 * `timeout` would be no limit.
 *
 * @throws SandboxConfigError naming the field; never the value of a variable.
 * @throws SandboxLimitError where `stdin` is too large
 */
export function resolveExecuteOptions(
  options?: unknown,
  known: readonly string[] = EXECUTE_OPTIONS,
): ResolvedExecuteOptions {
  if (options === undefined) return NO_OPTIONS
  if (typeof options !== 'object' || options === null) {
    throw refuse('options', `must be an object, but is ${kindOf(options)}. Leave them out for the defaults.`)
  }
  return reading('options', () => {
    requireOptions(options, known)
    return copyOptions(options)
  })
}

/** @throws SandboxConfigError where options are a thing of another kind, or have a name that is none of `known` */
export function requireOptions(options: object, known: readonly string[]): void {
  refuseFault(findOtherThing(options, 'options') ?? findUnknownOption(options, known))
}

/** @throws SandboxConfigError for a fault, if there is one */
export function refuseFault(fault: OptionFault | undefined): void {
  if (fault !== undefined) throw refuse(fault.field, fault.problem)
}

/** What reading an object of the caller's gives. @throws SandboxConfigError with that field where reading it throws */
export function reading<T>(field: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof SandboxError) throw cause
    throw refuse(field, 'could not be read. Pass plain data.', cause)
  }
}

/** @throws SandboxConfigError with the field `command`, or another one given, for what is no text that a shell can take. */
export function requireCommand(command: unknown, field = 'command'): string {
  return requireText(command, field)
}

/** @throws SandboxConfigError with the field `code` for what is no text that a file can hold. */
export function requireCode(code: unknown): string {
  return requireText(code, 'code')
}

/** @throws SandboxConfigError with the field `path`, or another one given, for what is no path. */
export function requirePath(path: unknown, field = 'path'): string {
  const text = requireText(path, field)
  if (text === '') throw refuse(field, 'must be a path, but is empty. Use "." for the current directory.')
  return text
}

/** @throws SandboxConfigError with the field `content` for what is no `Uint8Array` (a `Buffer` is one). */
export function requireContent(content: unknown): Uint8Array {
  if (types.isUint8Array(content)) {
    if (!isDetached(content)) return content
    throw refuse('content', 'was transferred to somebody else and holds nothing any more. Pass a copy.')
  }
  throw refuse('content', `must be a Uint8Array, but is ${kindOf(content)}. Use writeText for strings.`)
}

/** Node 20 has no `ArrayBuffer.detached`: a view of a detached buffer can be told by what it refuses. */
function isDetached(content: Uint8Array): boolean {
  if (content.byteLength > 0) return false
  try {
    content.subarray()
    return false
  } catch {
    // Only a detached buffer makes this throw.
    return true
  }
}

function copyOptions(options: Partial<Record<keyof ExecuteOptions, unknown>>): ResolvedExecuteOptions {
  const { timeout, cwd, env, secretEnv, signal, stdin } = options
  const secret = secretEnv === undefined ? [] : copyEnv(secretEnv, 'secretEnv')
  const pairs = withSecrets(env === undefined ? [] : copyEnv(env), secret)
  const input = stdin === undefined ? undefined : requireStdin(stdin)
  return {
    ...resolveLimits(timeout, signal),
    ...(cwd === undefined ? {} : { cwd: requirePath(cwd, 'cwd') }),
    ...(pairs.length === 0 ? {} : { env: pairs }),
    ...(secret.length === 0 ? {} : { secrets: secret.map(([, value]) => value) }),
    ...(input === undefined || input.byteLength === 0 ? {} : { stdin: input }),
  }
}

function withSecrets(
  env: readonly (readonly [name: string, value: string])[],
  secret: readonly (readonly [name: string, value: string])[],
): readonly (readonly [name: string, value: string])[] {
  return secret.length === 0 ? env : [...new Map([...env, ...secret])]
}

/** @throws SandboxConfigError with the field `timeout` or `signal`. */
export function resolveLimits(timeout: unknown, signal: unknown): ResolvedCallLimits {
  return {
    ...(timeout === undefined ? {} : { timeout: requireTimeout(timeout) }),
    ...(signal === undefined ? {} : { signal: requireSignal(signal) }),
  }
}

/** @throws SandboxConfigError with the field `timeout`. */
export function requireTimeout(timeout: unknown): number {
  if (typeof timeout === 'number' && timeout > 0 && timeout <= MAX_TIMEOUT) return timeout
  throw refuse(
    'timeout',
    `must be a positive number of seconds, at most ${MAX_TIMEOUT} (a day), but is ${showValue(timeout)}. Leave it out for none.`,
  )
}

/** @throws SandboxConfigError with the field `env`, or another one given, or that of the variable; never with its value. */
export function copyEnv(env: unknown, field = 'env'): readonly (readonly [name: string, value: string])[] {
  if (typeof env !== 'object' || env === null || Array.isArray(env) || !isPlain(env)) {
    throw refuse(field, `must be a plain object of variable names and strings, but is ${kindOf(env)}.`)
  }
  return Object.entries<unknown>({ ...env }).map(([name, value]) => {
    const fault = findEnvFault(name, value)
    if (fault === undefined && typeof value === 'string') return [name, value]
    throw refuse(envField(name, field), fault ?? 'must be a string.')
  })
}

function requireSignal(signal: unknown): AbortSignal {
  return reading('signal', () => {
    if (isSignal(signal)) return signal
    throw refuse(
      'signal',
      `must be an AbortSignal, but is ${kindOf(signal)}. Pass the signal of an AbortController.`,
    )
  })
}

function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === 'object' &&
    value !== null &&
    'aborted' in value &&
    typeof value.aborted === 'boolean' &&
    'addEventListener' in value &&
    typeof value.addEventListener === 'function' &&
    'removeEventListener' in value &&
    typeof value.removeEventListener === 'function'
  )
}

/** @throws SandboxConfigError with that field for what is no text that a shell can take. */
export function requireText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw refuse(field, `must be a string, but is ${kindOf(value)}.`)
  const fault = findTextFault(value)
  if (fault !== undefined) throw refuse(field, `must be text that a shell can take, but ${fault}.`)
  return value
}

/** An option that is not valid; the message begins with its name. */
export function refuse(field: string, problem: string, cause?: unknown): SandboxConfigError {
  return new SandboxConfigError(`${field} ${problem}`, cause === undefined ? { field } : { field, cause })
}

/** @throws SandboxConfigError with the field `name` for what is no variable's name. */
export function requireEnvName(name: unknown): string {
  if (typeof name === 'string' && ENV_KEY_PATTERN.test(name)) return name
  throw refuse(
    'name',
    `must be a variable name of letters, digits and underscores that begins with no digit, but is ${showValue(name)}.`,
  )
}

/** @throws SandboxConfigError with the field `value` for what is no variable's value. It is not shown. */
export function requireEnvValue(value: unknown): string {
  return requireText(value, 'value')
}
