import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SandboxConfigError } from '../sandbox/errors.ts'

/** A built file that a thread or a process starts with. */
interface Entry {
  /** What this package exports it as. */
  readonly specifier: string
  /** The option by which a caller names another. */
  readonly option: string
  readonly what: string
}

const workerEntry: Entry = {
  specifier: 'strands-shell-runtime/worker',
  option: 'workerUrl',
  what: 'worker entry',
}
const relaySpecifier = 'strands-shell-runtime/relay'
const cellEntry: Entry = { specifier: 'strands-shell-runtime/cell', option: 'cellUrl', what: 'cell entry' }

/**
 * Finds the built worker entry: the one the caller names, else this package's own.
 *
 * @throws {SandboxConfigError} where there is no such file
 */
export function findWorkerEntry(workerUrl: URL | undefined): Promise<URL> {
  return findEntry(workerEntry, workerUrl)
}

/**
 * Finds the built cell entry, as {@link findWorkerEntry} does.
 *
 * @throws {SandboxConfigError} where there is no such file
 */
export function findCellEntry(cellUrl: URL | undefined): Promise<URL> {
  return findEntry(cellEntry, cellUrl)
}

/**
 * Finds the built relay of jails.
 *
 * @returns its path
 * @throws {SandboxConfigError} where there is no such file
 */
export async function findRelayEntry(): Promise<string> {
  const url = ownEntry(relaySpecifier)
  try {
    if (url !== undefined) {
      const path = fileURLToPath(url)
      await access(path)
      return path
    }
  } catch {
    // Told below, with what to do about it.
  }
  throw new SandboxConfigError(
    `allowedUrls: a jail reaches the network through the file '${relaySpecifier}' of this package, which is not there. Install the package beside the bundle, or leave allowedUrls out.`,
    { field: 'allowedUrls' },
  )
}

async function findEntry({ specifier, option, what }: Entry, named: URL | undefined): Promise<URL> {
  const url = named ?? ownEntry(specifier)
  if (url !== undefined) {
    try {
      await access(fileURLToPath(url))
      return url
    } catch {
      // Told below, with what to do about it.
    }
  }
  throw new SandboxConfigError(
    `${option}: expected the file: URL of the ${what}, got ${url?.href ?? 'no entry next to this bundle'}. ` +
      `Bundled applications copy the file that '${specifier}' names next to the bundle and pass its URL as ${option}.`,
    { field: option },
  )
}

function ownEntry(specifier: string): URL | undefined {
  try {
    // A bundle in CommonJS form has no `import.meta.url`; there the working directory is the best start.
    const from = import.meta.url ?? pathToFileURL(`${process.cwd()}/_`)
    return pathToFileURL(createRequire(from).resolve(specifier))
  } catch {
    // Not installed where this code runs: the caller has to name it.
    return undefined
  }
}
