import {
  type SandboxError,
  SandboxIoError,
  SandboxPathNotFoundError,
  SandboxPermissionError,
} from '../errors.ts'
import type { ExecutionResult } from '../results.ts'
import { quote } from '../show-value.ts'

/** What the scripts of file operations exit with where they know why they cannot do their part. */
export const FILE_EXITS = {
  failed: 80,
  missing: 81,
  directory: 82,
  irregular: 83,
  readonly: 84,
  incomplete: 85,
  notDirectory: 86,
  taken: 87,
  within: 88,
  same: 89,
} as const

const SHOWN_CHARACTERS = 1000
const notFound = /: (no such file( or directory)?|not a directory|directory nonexistent)$/im
const denied = /: (permission denied|operation not permitted|read-only file system)$/im

const reasons: Readonly<Record<number, string>> = {
  [FILE_EXITS.directory]: 'it is a directory.',
  [FILE_EXITS.irregular]: 'it is no regular file.',
  [FILE_EXITS.incomplete]: 'not all of the content arrived. The file is as it was.',
  [FILE_EXITS.taken]: 'there is something already, which a directory does not replace.',
  [FILE_EXITS.within]: 'it is inside the directory itself.',
  [FILE_EXITS.same]: 'both paths are the same file.',
}

/** The message of a file operation that failed. */
export function failureMessage(verb: string, path: string, reason: string): string {
  return `Cannot ${verb} ${quote(path)}: ${reason}`
}

/** The error that the failure of a script stands for. */
export function scriptFailure(
  { exitCode, stderr }: Pick<ExecutionResult, 'exitCode' | 'stderr'>,
  verb: string,
  path: string,
): SandboxError {
  const said = stderr.trim().slice(0, SHOWN_CHARACTERS)
  const message = (reason: string) => failureMessage(verb, path, reason)
  const options = { path, ...(said === '' ? {} : { cause: new Error(said) }) }
  if (denied.test(said) || exitCode === FILE_EXITS.readonly) {
    return new SandboxPermissionError(message(said || 'it is read-only.'), options)
  }
  if (exitCode === FILE_EXITS.notDirectory || (notFound.test(said) && exitCode !== FILE_EXITS.missing)) {
    return new SandboxPathNotFoundError(message(said || 'it is not a directory.'), options)
  }
  if (exitCode === FILE_EXITS.missing && (said === '' || notFound.test(said))) {
    return new SandboxPathNotFoundError(message('it does not exist.'), options)
  }
  const reason = reasons[exitCode] ?? (said || `the command ended with exit code ${exitCode}.`)
  return new SandboxIoError(message(reason), options)
}
