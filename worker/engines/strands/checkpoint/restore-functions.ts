import type { NativeShell } from '../native-shell.ts'
import { loadTranslation } from '../translate/load.ts'
import type { FunctionReader } from './function-facts.ts'
import { existing } from './session-functions.ts'
import { PIPEFAIL, type SessionState } from './session-state.ts'
import { wrongFact } from './wrong-fact.ts'

/**
 * Gives a shell that has run nothing the functions of a session.
 *
 * @throws {TypeError} where what should define them does not
 */
export async function restoreFunctions(
  shell: NativeShell,
  { functions, ids }: FunctionReader,
  {
    aliases,
    pipefail,
    options,
    readonly,
  }: Pick<SessionState, 'aliases' | 'pipefail' | 'options' | 'readonly'>,
): Promise<void> {
  if (pipefail === 'on') await shell.setEnv(PIPEFAIL, '1')
  const nounset = options.includes('u')
  if (ids.size === 0 && pipefail === 'never' && aliases.size === 0 && !nounset && readonly.size === 0) return
  const { markOf, takeFunctions } = loadTranslation()
  const names = [...aliases.keys()]
  await takeFunctions(shell, {
    ...functions,
    aliases: names,
    pipefail: pipefail !== 'never',
    nounset,
    readonly,
  })
  const there = new Set(await existing(shell, [...ids.keys()]))
  for (const [name, id] of ids)
    if (!there.has(name) || (await shell.getEnv(markOf(name))) !== id) throw wrongFact()
}
