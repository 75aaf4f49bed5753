import { isError } from './kinds.ts'

/** The `code` of an error: of the system (`ENOENT`), of Node, or of this package; undefined where there is none. */
export function errorCode(error: unknown): string | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
