import { usageError } from '../failure.ts'

/** Takes a directory of the sandbox. @throws CliError where it is empty, as an unset variable is. */
export function parseDirectory(path: string): string {
  if (path !== '') return path
  throw usageError('--cwd: expected a directory of the sandbox, but got nothing.')
}
