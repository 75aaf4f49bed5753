import { vi } from 'vitest'
import { SandboxError } from '../../../src/sandbox/errors.ts'

/** The code and the message of an error of this package; an error that is not one fails the test. */
export function told(error: unknown): readonly [code: string, message: string] {
  if (!(error instanceof SandboxError)) throw error
  return [error.code, error.message]
}

/** How a call ends: its value, or what is told of its error. */
export async function endOf(call: Promise<unknown>): Promise<unknown> {
  return call.catch(told)
}

/** How a call that throws ends. */
export function refusalOf(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return told(error)
  }
}

/** Lets the fake clock go on; 0 lets everything that waits for no time happen. */
export async function seconds(count: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(count * 1000)
}
