import { type PartialOutput, SandboxTimeoutError } from '../sandbox/errors.ts'
import { showSeconds } from '../sandbox/show-value.ts'

/** What a call rejects with whose timeout passed. @param seconds - its timeout. @param output - what it had given. */
export function timeoutError(seconds: number, output?: PartialOutput): SandboxTimeoutError {
  const message = `The call did not end within its timeout of ${showSeconds(seconds)}.`
  return new SandboxTimeoutError(message, output === undefined ? {} : { output })
}
