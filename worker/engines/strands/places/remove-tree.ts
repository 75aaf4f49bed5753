import type { Outcome } from '../../../../src/contract/shell-api.ts'
import { fileFailure } from '../guards/file-errors.ts'
import { guardedRemove } from '../guards/remove-file.ts'
import { runStep } from '../mirror/sandbox/script.ts'
import type { NativeShell } from '../native-shell.ts'
import { factsOf } from './facts.ts'
import { failureOf, missing, word } from './failures.ts'

/** Removes what is at a path, with all that is in it. The engine's `rm -rf` says nothing of what it could not remove. */
export async function removeTree(shell: NativeShell, path: string): Promise<Outcome<null>> {
  const [before] = await factsOf(shell, [path])
  if (before === undefined || !before.isThere) return missing('removeFile', path)
  if (before.isLink || !before.isDirectory) return guardedRemove(shell, path)
  const text = await runStep(shell, `'rm' '-rf' ${word(path)}`)
  const [after] = await factsOf(shell, [path])
  if (after?.isThere !== true) return { ok: true, value: null }
  if (text !== undefined) return failureOf(shell, 'removeFile', path, text)
  const why = 'permission denied: it, or something in it, is write-protected or bound'
  return fileFailure('PERMISSION_DENIED', path, `removeFile '${path}': ${why}`)
}
