import { performance } from '../async/clock.ts'
import { timeLeft } from '../async/time-left.ts'
import type { CommandOutput, CommandsRequest } from '../contract/shell-api.ts'
import type { ResolvedManyOptions } from '../sandbox/many-commands.ts'
import type { CallLimits } from './call-limits.ts'
import { scopeOf } from './scope.ts'

/** The most commands, and the most characters of them, that travel in one message. */
const mostCommands = 256
const mostText = 4 * 1024 * 1024

/** Runs commands one after another, in as few round trips to the worker as it allows. */
export async function executeInTrips(
  commands: readonly string[],
  { stopOnFailure, timeout, signal, secrets = [], ...options }: ResolvedManyOptions,
  runMany: (request: CommandsRequest, limits: CallLimits) => Promise<CommandOutput[]>,
): Promise<CommandOutput[]> {
  const start = performance.now()
  const outputs: CommandOutput[] = []
  while (outputs.length < commands.length) {
    const request = { commands: nextOf(commands, outputs.length), ...scopeOf(options), stopOnFailure }
    outputs.push(...(await runMany(request, { timeout: timeLeft(timeout, start), signal, secrets })))
    if (stopOnFailure && outputs.at(-1)?.exitCode !== 0) break
  }
  return outputs
}

function nextOf(commands: readonly string[], from: number): readonly string[] {
  let end = from + 1
  let text = commands[from]?.length ?? 0
  while (end < commands.length && end - from < mostCommands) {
    text += commands[end]?.length ?? 0
    if (text > mostText) break
    end += 1
  }
  return commands.slice(from, end)
}
