/** The name of the error of the system or of Node that an error stands for, such as `ENOENT`; undefined for any other. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
