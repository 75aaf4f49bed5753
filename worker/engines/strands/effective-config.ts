import type { ShellDescription } from '../../../src/contract/shell-api.ts'
import { DEFAULT_MAX_FILE_SIZE } from './guards/engine-limits.ts'

/** What the engine says it was built with, as far as the runtime needs it. */
export interface EffectiveConfig {
  /** Seconds. */
  readonly timeout: number
  /** Bytes; 0 where there is no limit. */
  readonly maxFileSize: number
  readonly bindDestinations: readonly string[]
}

/** Reads the engine's config snapshot. */
export function readEffective(config: unknown): EffectiveConfig {
  const { timeout, limits, binds } = config as ShellDescription
  return {
    timeout,
    maxFileSize: limits['maxFileSize'] ?? DEFAULT_MAX_FILE_SIZE,
    bindDestinations: binds.map(({ destination }) => destination),
  }
}
