import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheDirectories, ensurePrivateDirectory } from '../../engines/strands/cache-directory.ts'

/** What threads load, beside the worker entry. */
const LOADED = 'bash.cjs'

/** The directory of compiled code in that of prepared engines. */
const DIRECTORY = 'code'

/**
 * Names the file that keeps what V8 has compiled of a worker's files for processes with these flags. It may not be there.
 *
 * @param flags - all that V8 compiles differently by.
 * @returns undefined where no directory can hold it, or the worker has no such files
 */
export async function codeFile(
  workerEntry: URL,
  flags: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  try {
    const path = fileURLToPath(new URL(LOADED, workerEntry))
    const { size, mtimeMs } = await stat(path)
    const key = JSON.stringify([process.version, process.arch, flags, path, size, mtimeMs])
    const name = `bash.${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
    const directory = await firstOf(cacheDirectories(env))
    return directory === undefined ? undefined : join(directory, name)
  } catch {
    return undefined // A worker entry of another kind, or without its files: it tells what it lacks.
  }
}

async function firstOf(directories: readonly string[]): Promise<string | undefined> {
  for (const directory of directories) {
    try {
      return await ensurePrivateDirectory(join(directory, DIRECTORY))
    } catch {
      // Read only, or of somebody else: the next may do.
    }
  }
  return undefined
}
