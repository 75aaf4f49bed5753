/** The engine's own default for `limits.maxOutput`, in bytes. */
export const DEFAULT_MAX_OUTPUT = 1_048_576
/** The engine's own default for `limits.maxFileSize`, in bytes. */
export const DEFAULT_MAX_FILE_SIZE = 10_485_760

export function engineMaxOutput(maxOutput: number): number {
  return Math.max(64 * 1_048_576, maxOutput * 2)
}
