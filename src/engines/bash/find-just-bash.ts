import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EngineUnavailableError } from '../../sandbox/errors.ts'

const packageName = 'just-bash'
/** The one version whose inner state the engine knows. */
const version = '3.4.2'
/** The CommonJS bundle of the package has no working `python3` and `sqlite3`. */
const bundle = 'dist/bundle/index.js'

/**
 * Finds the ES module of just-bash.
 *
 * @param bases - what to resolve the package from: `file:` URLs or absolute paths of files. The first that has it wins.
 * @returns its `file:` URL
 * @throws {EngineUnavailableError} where the package is not installed, or in another version
 */
export function findJustBash(bases: readonly string[]): string {
  for (const base of bases) {
    const home = homeOf(base)
    if (home === undefined) continue
    const { version: installed }: { readonly version?: unknown } = JSON.parse(
      readFileSync(join(home, 'package.json'), 'utf8'),
    )
    if (installed === version) return pathToFileURL(join(home, bundle)).href
    throw unavailable(`is installed in version ${String(installed)}`)
  }
  throw unavailable('is not installed')
}

function homeOf(base: string): string | undefined {
  try {
    let home = dirname(createRequire(base).resolve(packageName))
    while (!existsSync(join(home, 'package.json'))) home = dirname(home)
    return home
  } catch {
    // It cannot be resolved from there: the next base may have it.
    return undefined
  }
}

function unavailable(problem: string): EngineUnavailableError {
  return new EngineUnavailableError(
    `No bash engine: the package '${packageName}' ${problem}. Install it: npm install ${packageName}@${version}`,
  )
}
