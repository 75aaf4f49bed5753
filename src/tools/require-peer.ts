import { isError } from '../sandbox/kinds.ts'

/**
 * Loads an optional peer, and says how to install it where it is missing.
 *
 * @param name - the package, as its import and its install command name it
 * @param load - imports it: `() => import('ai')`
 * @throws {Error} with the code `ERR_MODULE_NOT_FOUND` and the install command, where the package is not there; what else
 *   its loading throws comes as it is
 */
export async function requirePeer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause
    const error = new Error(
      `This part of strands-shell-runtime needs the package ${packageOf(name)}, which is not installed. Install it: npm install ${packageOf(name)}`,
      { cause },
    )
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' })
  }
}

/** A package that is there, and one of whose own dependencies is missing, is another matter. */
function isMissing(error: unknown, name: string): boolean {
  if (!isError(error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${packageOf(name)}'`)
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}
