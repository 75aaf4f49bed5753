import type { Outcome } from '../../../../src/contract/shell-api.ts'
import type { FileOperation } from '../../../service/file-operation.ts'
import { fileFailure } from '../guards/file-errors.ts'
import { runStep } from '../mirror/sandbox/script.ts'
import type { NativeShell } from '../native-shell.ts'
import { factsOf } from './facts.ts'
import { failureOf, refused, word } from './failures.ts'

/** Makes a directory and those that lead to it. The engine's `mkdir -p` is content with a file at the path. */
export async function makeDirectory(shell: NativeShell, path: string): Promise<Outcome<null>> {
  const text = await runStep(shell, `'mkdir' '-p' ${word(path)}`)
  const [facts] = await factsOf(shell, [path])
  if (facts?.isDirectory === true) return { ok: true, value: null }
  if (facts?.isThere === true) return refused('makeDirectory', path, 'there is something already')
  return failureOf(shell, 'makeDirectory', path, text ?? 'it was not made')
}

/** Makes the directory that an entry is put into. A failure names the entry. */
export async function makeParent(
  shell: NativeShell,
  operation: FileOperation,
  path: string,
  parent: string,
): Promise<Outcome<null>> {
  const made = await makeDirectory(shell, parent)
  if (made.ok) return made
  const { code, detail } = made.error
  if (code === 'IO_ERROR') {
    return fileFailure(
      'PATH_NOT_FOUND',
      path,
      `${operation} '${path}': a part of the path is not a directory`,
    )
  }
  return failureOf(shell, operation, path, detail ?? made.error.message)
}
