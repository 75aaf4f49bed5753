import { FarError } from '../../service/far-error.ts'
import { guardedRemove } from './guards/remove-file.ts'
import { guardedWrite } from './guards/write-file.ts'
import type { NativeShell } from './native-shell.ts'

/**
 * The command that runs a script of the session with a file as its standard input. The engine has no other one: of its
 * constructs a group hands the file on to what runs in it, and a sourced file may hold here-documents, which a group may not.
 */
export function readingScript(script: string, input: string): string {
  return `{ '.' ${script}\n} < ${input}`
}

/**
 * Puts contents into files of their own while `use` runs.
 *
 * @throws FarError where one does not fit
 */
export async function withFiles<T>(
  shell: NativeShell,
  contents: readonly Uint8Array[],
  maxFileSize: number,
  use: (...paths: string[]) => Promise<T>,
): Promise<T> {
  const paths: string[] = []
  try {
    for (const content of contents) {
      const path = `/tmp/stdin_${crypto.randomUUID()}`
      const written = await guardedWrite(shell, path, content, maxFileSize)
      if (!written.ok) {
        const message = `The call's standard input could not be staged: ${written.error.message}`
        throw new FarError({ ...written.error, message })
      }
      paths.push(path)
    }
    return await use(...paths)
  } finally {
    // The command may have removed them itself: that is as good.
    for (const path of paths) await guardedRemove(shell, path)
  }
}
