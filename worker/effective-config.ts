import type { ShellDescription } from '../src/contract/shell-api.ts'

/** What the engine says it was built with, as far as the runtime needs it. */
export interface EffectiveConfig {
  /** Seconds. */
  readonly timeout: number
  /** Bytes. */
  readonly maxFileSize: number | undefined
  readonly binds: readonly string[]
}

/** Reads the engine's config snapshot. */
export function readEffective(config: unknown): EffectiveConfig {
  const { timeout, limits, binds } = config as ShellDescription
  return { timeout, maxFileSize: limits['maxFileSize'], binds: binds.map((bind) => bind.destination) }
}
