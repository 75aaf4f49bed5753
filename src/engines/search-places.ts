import { realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { errorMessage } from '../sandbox/kinds.ts'
import type { InstalledPackage } from './find-package.ts'
import { assertTrustedPath } from './trusted-path.ts'

/** What to resolve an engine's package from. */
export interface SearchPlaces {
  /**
   * `file:` URLs or absolute paths of files, or of directories with a slash at their end. The first from which a package
   * is found wins.
   */
  readonly bases: readonly string[]
  /** Those of them that nobody chose: what is found from there must be for no other user to exchange. */
  readonly unchosen?: readonly string[]
}

/** This module's place, the main script's, and last the working directory, which nobody chose. */
export function searchPlaces(): SearchPlaces {
  const unchosen = workingDirectory()
  return { bases: [...chosenBases(), ...unchosen], unchosen }
}

/**
 * Checks a package that was found from a place nobody chose: a service started in `/tmp` must not load what somebody
 * left in `/tmp/node_modules`.
 *
 * @throws Error saying why it is not trusted, for a sentence about the package
 */
export async function assertTrustedPackage(
  { entry }: InstalledPackage,
  base: string,
  { unchosen }: SearchPlaces,
): Promise<void> {
  if (unchosen?.includes(base) !== true) return
  try {
    await assertTrustedPath(await realpath(entry))
  } catch (cause) {
    const why = errorMessage(cause)
    throw new Error(`it was found from the working directory only, and its path ${why}`, { cause })
  }
}

function chosenBases(): string[] {
  // Undefined where a bundler made CommonJS of this module.
  const here: string | undefined = import.meta.url
  const main = process.argv[1]
  return [
    ...(here?.startsWith('file:') ? [here] : []),
    ...(main !== undefined && isAbsolute(main) ? [main] : []),
  ]
}

function workingDirectory(): string[] {
  try {
    return [join(process.cwd(), '/')]
  } catch {
    // It was removed: nothing can be found there.
    return []
  }
}
