import { performance } from '../async/clock.ts'
import { timeLeft } from '../async/time-left.ts'
import {
  EXECUTE_OPTIONS,
  type ResolvedExecuteOptions,
  reading,
  refuse,
  requireCommand,
  resolveExecuteOptions,
} from './arguments.ts'
import { SandboxTimeoutError } from './errors.ts'
import type { ExecuteManyOptions, ExecuteOptions, ExecutionResult } from './results.ts'
import { kindOf } from './show-value.ts'

/** The options of many commands, validated and copied. */
export interface ResolvedManyOptions extends Omit<ResolvedExecuteOptions, 'stdin'> {
  readonly stopOnFailure: boolean
}

/** The most commands that one call takes. */
export const MAX_COMMANDS = 100_000

/** The commands, copied. @throws SandboxConfigError with the field `commands`, or that of the one at fault */
export function requireCommands(commands: unknown): readonly string[] {
  return reading('commands', () => {
    if (!Array.isArray(commands)) throw refuse('commands', `must be an array, but is ${kindOf(commands)}.`)
    if (commands.length > MAX_COMMANDS) {
      throw refuse(
        'commands',
        `must be at most ${MAX_COMMANDS}, but are ${commands.length}. Make several calls.`,
      )
    }
    return Array.from<unknown, string>(commands, (command, index) =>
      requireCommand(command, `commands[${index}]`),
    )
  })
}

const MANY_OPTIONS: readonly string[] = [...EXECUTE_OPTIONS, 'stopOnFailure']

/** @throws SandboxConfigError naming the field */
export function resolveManyOptions(options: ExecuteManyOptions | undefined): ResolvedManyOptions {
  const { stdin, ...resolved } = resolveExecuteOptions(options, MANY_OPTIONS)
  if (stdin !== undefined) {
    throw refuse(
      'stdin',
      'is for one command: call execute with it, or write it to a file that the commands read.',
    )
  }
  return { ...resolved, stopOnFailure: reading('options', () => isStopping(options?.stopOnFailure)) }
}

function isStopping(value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false
  throw refuse('stopOnFailure', `must be a boolean, but is ${kindOf(value)}.`)
}

/** Runs commands one after another, each in the time that the others left. */
export async function executeEach(
  commands: readonly string[],
  { stopOnFailure, timeout, env = [], secrets = [], ...rest }: ResolvedManyOptions,
  execute: (command: string, options: ExecuteOptions) => Promise<ExecutionResult>,
): Promise<ExecutionResult[]> {
  const start = performance.now()
  const isSecret = ([, value]: readonly [string, string]) => secrets.includes(value)
  const shared: ExecuteOptions = {
    ...rest,
    env: Object.fromEntries(env.filter((pair) => !isSecret(pair))),
    secretEnv: Object.fromEntries(env.filter(isSecret)),
  }
  const results: ExecutionResult[] = []
  for (const command of commands) {
    const left = timeLeft(timeout, start)
    if (left === 0)
      throw new SandboxTimeoutError(`The commands did not end within their timeout of ${timeout} s.`)
    const result = await execute(command, { ...shared, timeout: left })
    results.push(result)
    if (stopOnFailure && result.exitCode !== 0) break
  }
  return results
}
