import type { Outcome } from '../../../../src/contract/shell-api.ts'
import { runStep } from '../mirror/sandbox/script.ts'
import type { NativeShell } from '../native-shell.ts'
import { failureOf, word } from './failures.ts'
import { checkPlaces } from './target.ts'

/** Gives what is at `from` the path `to`. The engine's `mv` loses a directory that is moved into itself. */
export async function movePlace(shell: NativeShell, from: string, to: string): Promise<Outcome<null>> {
  const checked = await checkPlaces(shell, 'move', from, to)
  if (!checked.ok) return checked
  const text = await runStep(shell, `'mv' ${word(from)} ${word(to)}`)
  return text === undefined ? { ok: true, value: null } : failureOf(shell, 'move', to, text)
}
