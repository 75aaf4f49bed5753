import { SandboxConfigError } from '../../src/sandbox/errors.ts'

export interface Refusal {
  readonly field: string
  readonly message: string
}

/** What a call was refused for; fails when it returns or throws anything but a `SandboxConfigError`. */
export function refusalOf(call: () => unknown): Refusal {
  try {
    call()
  } catch (error) {
    return asRefusal(error)
  }
  throw new Error('the call was not refused')
}

/** The same for a call that returns a promise. */
export async function asyncRefusalOf(call: () => Promise<unknown>): Promise<Refusal> {
  try {
    await call()
  } catch (error) {
    return asRefusal(error)
  }
  throw new Error('the call was not refused')
}

function asRefusal(error: unknown): Refusal {
  if (!(error instanceof SandboxConfigError)) throw error
  return { field: error.field, message: error.message }
}
