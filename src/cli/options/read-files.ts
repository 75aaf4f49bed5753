import { readFile, stat } from 'node:fs/promises'
import type { StartFiles } from '../../config/files.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { usageError } from '../failure.ts'
import type { FileOption } from './parse-file.ts'

/** What the options put into a sandbox, as a config says it. @throws CliError where a file cannot be read */
export async function readFiles(options: readonly FileOption[]): Promise<StartFiles> {
  const contents = options.map(async ({ source, path }) => {
    try {
      if ((await stat(source)).isDirectory()) return [path, { directory: source }] as const
      return [path, await readFile(source)] as const
    } catch (cause) {
      const reason = errorMessage(cause)
      throw usageError(`--file: ${JSON.stringify(source)} cannot be read: ${reason}.`, { cause })
    }
  })
  return Object.fromEntries(await Promise.all(contents))
}
