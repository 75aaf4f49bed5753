import { SandboxTimeoutError } from '../sandbox/errors.ts'

/** What a call rejects with whose timeout passed. @param seconds - its timeout. */
export function timeoutError(seconds: number): SandboxTimeoutError {
  return new SandboxTimeoutError(`The call did not end within its timeout of ${seconds} s.`)
}
