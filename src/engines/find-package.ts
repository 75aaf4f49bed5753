import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { errorCode } from '../sandbox/error-code.ts'
import { isExhausted } from '../sandbox/exhaustion.ts'

/** A package found on disk; nothing of it has been loaded. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly directory: string
  /** The file that the package's name stands for: CommonJS, an ES module or an addon. */
  readonly entry: string
}

type Manifest = Readonly<Record<string, unknown>>

/**
 * Finds a package as a module at `base` would: an absolute path or a `file:` URL of a file, or of a
 * directory with a slash at its end. Loads nothing.
 */
export function findPackage(name: string, base: string | URL): InstalledPackage | undefined {
  const require = createRequire(base)
  const entry = resolveEntry(require, name)
  const directories =
    entry === undefined
      ? (require.resolve.paths(name) ?? []).map((modules) => join(modules, name))
      : ancestors(dirname(entry))
  for (const directory of directories) {
    const manifest = readManifest(directory)
    if (manifest?.['name'] !== name) continue
    const file = entry ?? importedEntry(directory, manifest)
    if (file === undefined) continue
    return { name, version: String(manifest['version'] ?? 'unknown'), directory, entry: file }
  }
  return undefined
}

function resolveEntry(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch (error) {
    if (errorCode(error) === 'MODULE_NOT_FOUND' || errorCode(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      return undefined
    throw error
  }
}

/**
 * The entry of a package that can be imported but not required, or that Node does not find for good: it keeps that a
 * manifest was not there, also where no descriptor was left to read it.
 */
function importedEntry(directory: string, manifest: Manifest): string | undefined {
  const { exports, main } = manifest
  const target =
    importTarget(exports) ?? (exports === undefined && typeof main === 'string' ? main : undefined)
  return target === undefined ? undefined : join(directory, target)
}

function importTarget(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports
  if (!isRecord(exports)) return undefined
  for (const condition of ['.', 'node', 'import', 'default']) {
    const target = importTarget(exports[condition])
    if (target !== undefined) return target
  }
  return undefined
}

function readManifest(directory: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    return isRecord(manifest) ? manifest : undefined
  } catch (error) {
    if (isExhausted(error)) throw error
    // No manifest, or not one: this directory is not the package's.
    return undefined
  }
}

function isRecord(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null
}

function* ancestors(directory: string): Generator<string> {
  for (let at = directory; ; at = dirname(at)) {
    yield at
    if (dirname(at) === at) return
  }
}
