import type { LimitsConfig } from './types.ts'

/** The shortest time limit of a session, in seconds. The engine refuses what it rounds to zero. */
export const MIN_SESSION_TIMEOUT = 0.001

/** The largest value of an engine limit: it keeps them in 32 bits, and more would wrap round to unlimited. */
export const MAX_LIMIT = 2 ** 32 - 1

/** The largest permission mask. */
export const MAX_UMASK = 0o777

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

/** What the runtime's own fields are when the config does not name them. */
export const RUNTIME_DEFAULTS = {
  onInterrupt: 'keep',
  onLost: 'reopen',
  maxPending: 1000,
} as const
