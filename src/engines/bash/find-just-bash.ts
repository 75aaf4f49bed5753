import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EngineUnavailableError } from '../../sandbox/errors.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { findPackage } from '../find-package.ts'
import { assertTrustedPackage, type SearchPlaces, searchPlaces } from '../search-places.ts'

const packageName = 'just-bash'
/** The one version whose inner state the engine knows. */
export const JUST_BASH_VERSION = '3.4.2'
/** The CommonJS bundle of the package has no working `python3` and `sqlite3`. */
const bundle = 'dist/bundle/index.js'

let resolved: Promise<string> | undefined

/** {@link findJustBash} in this process's places, once a process. A failure is not kept: the next call looks again. */
export function resolveJustBash(): Promise<string> {
  if (resolved === undefined) {
    const search = findJustBash(searchPlaces())
    resolved = search
    search.catch(forgetJustBash)
  }
  return resolved
}

/** Has the next {@link resolveJustBash} look again: what was found could not be loaded. */
export function forgetJustBash(): void {
  resolved = undefined
}

/**
 * Finds the ES module of just-bash. Loads nothing.
 *
 * @returns its `file:` URL
 * @throws {EngineUnavailableError} where the package is not installed, is installed in another version, or could be
 *   exchanged by another user
 */
export async function findJustBash(places: SearchPlaces): Promise<string> {
  for (const base of places.bases) {
    const found = findPackage(packageName, base)
    if (found === undefined) continue
    if (found.version !== JUST_BASH_VERSION) throw unavailable(`is installed in version ${found.version}`)
    try {
      await assertTrustedPackage(found, base, places)
    } catch (cause) {
      throw unavailable(`cannot be trusted: ${errorMessage(cause)}`, cause)
    }
    return pathToFileURL(join(found.directory, bundle)).href
  }
  throw unavailable('is not installed')
}

function unavailable(problem: string, cause?: unknown): EngineUnavailableError {
  return new EngineUnavailableError(
    `No bash engine: the package '${packageName}' ${problem}. Install it: npm install ${packageName}@${JUST_BASH_VERSION}`,
    cause === undefined ? {} : { cause },
  )
}
