import { posix } from 'node:path'
import { refuse, requirePath } from '../../sandbox/arguments.ts'
import { kindOf } from '../../sandbox/show-value.ts'
import {
  type ResolvedExecOptions,
  requireBoolean,
  requireKnownKeys,
  requireMaxOutput,
  requireWorkdir,
  resolveExecOptions,
} from '../arguments.ts'
import type { BridgedSandbox } from './bridged-sandbox.ts'

/** Options of an {@link ArgvBridge}. */
export interface ArgvBridgeOptions {
  /** Where programs run: an absolute path in the sandbox, made if it is missing. */
  readonly workdir: string
  /**
   * The same directory on the host. `ArgvBridge.open` asks the sandbox itself.
   *
   * @default undefined (the host cannot see it)
   */
  readonly hostWorkdir?: string | undefined
  /**
   * Variables of every program.
   *
   * @default {}
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * Seconds a program may run when its call does not say.
   *
   * @default undefined (the sandbox's own limit alone)
   */
  readonly timeout?: number | undefined
  /**
   * Characters of output to keep; a line at the end says what was cut.
   *
   * @default 100_000
   */
  readonly maxOutput?: number | undefined
  /**
   * Whether `close()` closes the sandbox too.
   *
   * @default false
   */
  readonly ownsSandbox?: boolean | undefined
}

/** The options, validated and copied. */
interface ResolvedBridgeOptions {
  readonly workdir: string
  readonly hostWorkdir: string | undefined
  readonly defaults: ResolvedExecOptions
  readonly maxOutput: number
  readonly ownsSandbox: boolean
}

/** The options there are. */
export const BRIDGE_OPTIONS = ['workdir', 'hostWorkdir', 'env', 'timeout', 'maxOutput', 'ownsSandbox']

/** @throws SandboxConfigError naming the option at fault; never the value of a variable. */
export function resolveBridgeOptions(options: ArgvBridgeOptions): ResolvedBridgeOptions {
  requireKnownKeys(options, BRIDGE_OPTIONS)
  const { hostWorkdir, env, timeout, maxOutput, ownsSandbox = false } = options
  return {
    workdir: requireWorkdir(options.workdir),
    hostWorkdir:
      hostWorkdir === undefined ? undefined : posix.resolve(requirePath(hostWorkdir, 'hostWorkdir')),
    defaults: resolveExecOptions({ env, timeout }),
    maxOutput: requireMaxOutput(maxOutput),
    ownsSandbox: requireBoolean(ownsSandbox, 'ownsSandbox'),
  }
}

/** @throws SandboxConfigError with the field `sandbox` for what runs no commands. */
export function requireSandbox(sandbox: BridgedSandbox): BridgedSandbox {
  if (typeof sandbox?.execute === 'function') return sandbox
  throw refuse('sandbox', `must be a Sandbox, but is ${kindOf(sandbox)}.`)
}
