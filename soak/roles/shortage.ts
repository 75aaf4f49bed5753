import { type ExecutionResult, SandboxError, SessionLoss } from '../../src/index.ts'
import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import { alone } from '../shared-lock.ts'
import { until } from '../until.ts'

/** What a shortage acts on. */
export interface Place {
  readonly context: SoakContext
  readonly level: Level
}

/** Runs `work` while no actor acts, and nothing runs that one has given up. */
export function aloneAtRest({ context }: Place, work: () => Promise<void>): Promise<void> {
  const locks = [context.workers, ...[...context.levels.values()].map(({ lock }) => lock), context.gauges]
  return alone(locks, async () => {
    await until(
      () => isAtRest(context),
      60,
      () => 'abandoned commands still run',
    )
    await work()
  })
}

function isAtRest({ hosts }: SoakContext): boolean {
  return hosts.every((host) => {
    const { retired, queued, running, waiting } = host.stats()
    return retired + queued + running + waiting === 0
  })
}

/** What a call came to: `done`, the status of a command that failed, or the codes of an error. */
export async function wordOf(call: Promise<ExecutionResult | undefined>): Promise<string> {
  try {
    const status = (await call)?.exitCode ?? 0
    return status === 0 ? 'done' : `status ${status}`
  } catch (error) {
    if (!(error instanceof SandboxError)) return String(error)
    return error.cause instanceof SessionLoss ? `${error.code} ${error.cause.code}` : error.code
  }
}
