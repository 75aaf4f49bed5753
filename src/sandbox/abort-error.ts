import { SandboxAbortError } from './errors.ts'

/** What a call rejects with whose signal fired. */
export function abortError(signal: AbortSignal | undefined): SandboxAbortError {
  return new SandboxAbortError("The call's signal was aborted.", { cause: signal?.reason })
}
