import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorMessage } from '../../service/error-message.ts'
import { isExhausted } from '../../service/exhaustion.ts'
import { FarError } from '../../service/far-error.ts'

/**
 * Makes a directory for this user alone: nobody else can put anything in. The engine binds places of the host, and some of
 * them must be empty or hold a text.
 *
 * @throws FarError `IO_ERROR` where none can be made, or the system's error where nothing more can be opened
 */
export function makeTemporaryDirectory(prefix: string): string {
  const parent = tmpdir()
  try {
    return mkdtempSync(join(parent, prefix))
  } catch (error) {
    if (isExhausted(error)) throw error
    const reason = errorMessage(error)
    throw new FarError({
      code: 'IO_ERROR',
      message: `No temporary directory can be made in '${parent}': ${reason}. Make room there, or set TMPDIR to a directory that this process can write.`,
    })
  }
}
