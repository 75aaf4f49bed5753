import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SandboxConfigError } from '../sandbox/errors.ts'

const entry = 'strands-shell-runtime/worker'

/**
 * Finds the built worker entry: the one the caller names, else this package's own.
 *
 * @throws {SandboxConfigError} where there is no such file
 */
export async function findWorkerEntry(workerUrl: URL | undefined): Promise<URL> {
  const url = workerUrl ?? ownEntry()
  if (url !== undefined) {
    try {
      await access(fileURLToPath(url))
      return url
    } catch {
      // Told below, with what to do about it.
    }
  }
  throw new SandboxConfigError(
    `workerUrl: expected the file: URL of the worker entry, got ${url?.href ?? 'no entry next to this bundle'}. ` +
      `Bundled applications copy the file that '${entry}' names next to the bundle and pass its URL as workerUrl.`,
    { field: 'workerUrl' },
  )
}

function ownEntry(): URL | undefined {
  try {
    // A bundle in CommonJS form has no `import.meta.url`; there the working directory is the best start.
    const from = import.meta.url ?? pathToFileURL(`${process.cwd()}/_`)
    return pathToFileURL(createRequire(from).resolve(entry))
  } catch {
    // Not installed where this code runs: the caller has to name it.
    return undefined
  }
}
