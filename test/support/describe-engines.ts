import { describe, onTestFinished } from 'vitest'
import type { Isolation } from '../../src/index.ts'
import { type Engine, type EngineConfig, type EngineOptions, type EngineSandbox, engines } from './engines.ts'
import { isFull } from './tier.ts'

/** Every isolation level. */
export const allLevels: readonly Isolation[] = ['worker', 'shared', 'process']

/** The levels of what does not depend on the engine: every one in the full tier, cells in the default tier. */
export const tierLevels: readonly Isolation[] = isFull ? allLevels : ['process']

/** Every level in the full tier, dedicated threads in the default tier. */
export const levelsOrThread: readonly Isolation[] = isFull ? allLevels : ['worker']

/** Every level in the full tier, dedicated threads and cells in the default tier. */
export const levelsOrThreadAndCell: readonly Isolation[] = isFull ? allLevels : ['worker', 'process']

/** The levels at which sandboxes live in threads of this process: both in the full tier, one in the default tier. */
export const threadLevels: readonly Isolation[] = isFull ? ['worker', 'shared'] : ['worker']

/** An engine at one isolation level. Its sandboxes are closed when the test ends. */
export interface HostedEngine extends Omit<Engine, 'level'> {
  readonly isolation: Isolation
  create(config?: EngineConfig, options?: EngineOptions): EngineSandbox
  open(config?: EngineConfig, options?: EngineOptions): Promise<EngineSandbox>
}

/**
 * Runs a suite for each engine.
 *
 * @param levels - the isolation levels. Default: every one in the full tier, the engine's own one in the default tier
 */
export function describeEngines(
  title: string,
  suite: (engine: HostedEngine) => void,
  levels?: readonly Isolation[],
): void {
  for (const engine of engines) {
    for (const isolation of levels ?? (isFull ? allLevels : [engine.level])) {
      if (engine.levels?.includes(isolation) === false) continue
      describe(`${title} (${engine.name}, ${isolation})`, () => suite(hosted(engine, isolation)))
    }
  }
}

function hosted(engine: Engine, isolation: Isolation): HostedEngine {
  const create = (config?: EngineConfig, options?: EngineOptions) => {
    const sandbox = engine.create({ isolation, ...config }, options)
    onTestFinished(() => sandbox.close())
    return sandbox
  }
  return {
    ...engine,
    isolation,
    create,
    async open(config, options) {
      const sandbox = create(config, options)
      await sandbox.open()
      return sandbox
    },
  }
}
