import { errorCode } from '../error-code.ts'
import {
  type SandboxError,
  SandboxIoError,
  SandboxPathNotFoundError,
  SandboxPermissionError,
} from '../errors.ts'
import { quote } from '../show-value.ts'

/** What the system refused on the host as an error of this package. */
export function hostError(error: unknown, act: string, hostPath: string): SandboxError {
  const code = errorCode(error) ?? 'unknown error'
  const options = { path: hostPath, cause: error }
  const message = (reason: string) => `Cannot ${act} ${quote(hostPath)} of the host: ${reason}.`
  if (code === 'ENOENT') return new SandboxPathNotFoundError(message('it does not exist'), options)
  if (code === 'ENOTDIR' || code === 'ELOOP' || code === 'EEXIST') {
    return new SandboxPathNotFoundError(message('it is not a directory'), options)
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new SandboxPermissionError(message('permission denied'), options)
  }
  return new SandboxIoError(message(code === 'ENOSPC' ? 'the disk is full' : code), options)
}
