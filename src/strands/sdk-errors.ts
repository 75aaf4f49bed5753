import { SandboxAbortError, SandboxPathNotFoundError, SandboxTimeoutError } from '../sandbox/errors.ts'
import { isError } from '../sandbox/kinds.ts'
import { sdk } from './sdk.ts'

/**
 * An error as the SDK knows it: its own class where it has one, with the same message and the error itself as `cause`.
 * Every other comes as it is.
 *
 * @param message - what the SDK's error is to say instead
 */
export function toSdkError(error: unknown, message?: string): unknown {
  const counterpart = counterpartOf(error)
  if (counterpart === undefined || !isError(error)) return error
  counterpart.message = message ?? error.message
  counterpart.cause = error
  return counterpart
}

/** Calls a sandbox and throws its errors as the SDK knows them. */
export async function withSdkErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toSdkError(error)
  }
}

function counterpartOf(error: unknown): Error | undefined {
  // The seconds are part of a message that is replaced.
  if (error instanceof SandboxTimeoutError) return new sdk.SandboxTimeoutError(Number.NaN)
  if (error instanceof SandboxAbortError) return new sdk.SandboxAbortError()
  if (error instanceof SandboxPathNotFoundError) return new sdk.SandboxPathNotFoundError(error.path)
  return undefined
}
