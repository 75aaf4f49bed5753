import { type PartialOutput, SandboxAbortError } from './errors.ts'

/** What a call rejects with whose signal fired. @param output - what it had given. */
export function abortError(signal: AbortSignal | undefined, output?: PartialOutput): SandboxAbortError {
  const options = { cause: signal?.reason, ...(output === undefined ? {} : { output }) }
  return new SandboxAbortError("The call's signal was aborted.", options)
}
