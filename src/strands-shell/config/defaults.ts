import type { LimitsConfig } from './types.ts'

/** The largest value of an engine limit: it keeps them in 32 bits, and more would wrap round to unlimited. */
export const MAX_LIMIT = 2 ** 32 - 1

/** The names of the engine's limits. */
export const LIMIT_NAMES = [
  'maxOutput',
  'maxFileSize',
  'maxFds',
  'maxBgJobs',
  'maxPipeline',
  'maxInput',
  'maxInodes',
  'maxDepth',
] as const satisfies readonly (keyof LimitsConfig)[]

/** The bounds of mirrored directories, which are the runtime's own. */
export const MIRROR_DEFAULTS = {
  mirrorMaxFiles: 5000,
  mirrorMaxBytes: 64 * 1024 * 1024,
} as const satisfies Partial<LimitsConfig>

/** How a session begins where the config does not say. */
export const START_DEFAULTS = { writable: ['/workspace'] } as const
