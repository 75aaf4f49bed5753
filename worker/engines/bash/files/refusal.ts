import { importModule } from '../../../service/code/import-module.ts'
import { unlikePinned } from '../just-bash.ts'
import type { FileError } from './file-error.ts'

/** Makes of a failed file operation what just-bash takes as the failure of one command. */
export type Refuse = (error: FileError) => Error

/** The chunk of just-bash 3.4.2 that has its errors, and the name of the class there. */
const CHUNK = 'chunks/chunk-EFORKKSH.js'
const GLOB_ERROR = 'j'

/**
 * An error of a file system ends the whole script where a redirection meets it: in bash it ends the command. just-bash
 * does so for one class alone, that of a pattern which matches nothing, and exports none of its errors.
 *
 * @param url - of the ES module of just-bash.
 */
export async function loadRefuse(url: string): Promise<Refuse> {
  const chunk = (await importModule(new URL(CHUNK, url).href)) as object
  const make: unknown = Reflect.get(chunk, GLOB_ERROR)
  const made: unknown = typeof make === 'function' ? Reflect.construct(make, ['x']) : undefined
  if (typeof make !== 'function' || !(made instanceof Error) || made.name !== 'GlobError')
    throw unlikePinned('ends commands')
  return ({ code, message, path, text, isOfHost, protectedBy }) =>
    Object.assign(Reflect.construct(make, ['']), {
      code,
      message,
      isOfHost,
      protectedBy,
      stderr: `bash: ${path}: ${text}\n`,
    })
}
