import { SandboxError, SandboxIoError } from '../sandbox/errors.ts'
import { errorMessage } from '../sandbox/kinds.ts'

/** Does something with a store. @throws SandboxIoError naming `path` for what is no error of this package */
export async function storing<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof SandboxError) throw error
    const message = `The snapshot store failed: ${errorMessage(error)}`
    throw new SandboxIoError(message, { path, cause: error })
  }
}
