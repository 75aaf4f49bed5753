import { SandboxClosedError } from '../sandbox/errors.ts'

/** What an opening rejects with whose host is closed. */
export function hostClosed(): SandboxClosedError {
  return new SandboxClosedError('The host of this sandbox is closed.')
}
