/** The fields of a result, in their order. */
export const RESULT_KEYS = [
  'type',
  'exitCode',
  'stdout',
  'stderr',
  'outputFiles',
  'timedOut',
  'truncated',
  'durationMs',
]
