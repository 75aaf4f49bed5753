import { errorCode } from '../sandbox/error-code.ts'
import { isError } from '../sandbox/kinds.ts'

/** An optional peer is not installed. Its message has the install command. */
export class MissingPeer extends Error {
  readonly code = 'ERR_MODULE_NOT_FOUND'

  constructor(name: string, cause: unknown) {
    super(
      `This part of strands-shell-runtime needs the package ${name}, which is not installed. Install it: npm install ${name}`,
      { cause },
    )
  }
}

/**
 * Loads an optional peer, and says how to install it where it is missing.
 *
 * @param name - the package, as its import and its install command name it
 * @param load - imports it: `() => import('ai')`
 * @throws {MissingPeer} where the package is not there; what else its loading throws comes as it is
 */
export async function requirePeer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause
    throw new MissingPeer(packageOf(name), cause)
  }
}

/** A package that is there, and one of whose own dependencies is missing, is another matter. */
function isMissing(error: unknown, name: string): boolean {
  if (!isError(error)) return false
  return errorCode(error) === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${packageOf(name)}'`)
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}
