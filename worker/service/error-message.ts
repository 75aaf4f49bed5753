/** What was thrown, in words: its message if it is an error. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
