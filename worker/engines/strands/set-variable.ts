import type { Outcome } from '../../../src/contract/shell-api.ts'
import type { NativeShell } from './native-shell.ts'

/** Sets a variable. The engine ignores it where the session made the variable readonly, so it is read back. */
export async function setVariable(shell: NativeShell, name: string, value: string): Promise<Outcome<null>> {
  await shell.setEnv(name, value)
  if ((await shell.getEnv(name)) === value) return { ok: true, value: null }
  const message = `setEnv '${name}': the session has made this variable readonly. Use another name, or reset the session.`
  return { ok: false, error: { code: 'PERMISSION_DENIED', path: name, message } }
}
