import { posix } from 'node:path'
import { requirePath } from '../sandbox/arguments.ts'
import { SandboxPermissionError } from '../sandbox/errors.ts'
import { quote } from '../sandbox/show-value.ts'

/**
 * A path below the workdir, normalized.
 *
 * @throws SandboxConfigError for what is no path
 * @throws SandboxPermissionError for one that is absolute or leads out of the workdir by its `..`
 */
export function requireRelativePath(path: unknown): string {
  const text = requirePath(path)
  if (posix.isAbsolute(text)) {
    throw new SandboxPermissionError(
      `Absolute paths are not allowed, but ${quote(text)} is one: name the file relative to the workdir.`,
      { path: text },
    )
  }
  const normalized = posix.normalize(text)
  if (normalized === '..' || normalized.startsWith('../')) throw escapes(text)
  return normalized
}

/** The error for a path that leads out of the workdir. */
export function escapes(path: string): SandboxPermissionError {
  return new SandboxPermissionError(`The path ${quote(path)} escapes the workdir.`, { path })
}
