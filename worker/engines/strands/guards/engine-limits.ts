const MIB = 1_048_576

/** The engine's own default of `limits.maxOutput`, in bytes. */
export const DEFAULT_MAX_OUTPUT = MIB

/** The engine's own default of `limits.maxFileSize`, in bytes. */
export const DEFAULT_MAX_FILE_SIZE = 10 * MIB

/**
 * The least that the engine gets. Its cap also bounds every pipe and `$( )`; a command that passes it alone comes
 * back empty, and a crossing inside a character panics. One command can take about twice as much memory.
 */
const LEAST = 64 * MIB

/** No string of V8 is longer: the engine cannot hand over more. */
const MOST = 0x1fff_ffe8

/**
 * The cap that the engine is given for a sandbox with `limits.maxOutput` of `maxOutput` bytes: so high that the
 * cut is made by `capOutput`, which says what it does.
 */
export function engineMaxOutput(maxOutput: number): number {
  return Math.min(Math.max(LEAST, 2 * maxOutput), MOST)
}
