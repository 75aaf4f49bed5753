import { runScript } from '../mirror/sandbox/script.ts'
import type { NativeShell } from '../native-shell.ts'
import { quoted } from '../quoting.ts'
import type { FunctionFacts } from '../translate/facts.ts'
import type { KnownFunction } from '../translate/known-functions.ts'
import { loadTranslation } from '../translate/load.ts'
import { untold } from './untold.ts'

/** A function whose text is known, and what commands do about it. */
export interface KeptFunction extends KnownFunction {
  readonly facts: FunctionFacts
}

/** The functions of a session. */
export interface SessionFunctions {
  readonly kept: readonly KeptFunction[]
  /** Names of those whose text is not known for certain; `*` where not all names are. */
  readonly omitted: readonly string[]
}

/** Which functions a session has. The engine does not list them: those are found whose definitions were seen. */
export async function readFunctions(shell: NativeShell): Promise<SessionFunctions> {
  const { knownFunctions, markOf, sessionOf } = loadTranslation()
  const known = knownFunctions(shell)
  const { functions } = sessionOf(shell)
  const kept: KeptFunction[] = []
  const omitted = known.isUnseen ? ['*'] : []
  for (const name of await existing(shell, known.names)) {
    const found = known.withMark((await shell.getEnv(markOf(name))) ?? '')
    const facts = functions.get(name)
    if (found?.name !== name || facts === undefined) omitted.push(name)
    else kept.push({ ...found, facts })
  }
  return { kept, omitted }
}

/** Those of the names that are functions. */
export async function existing(shell: NativeShell, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return []
  const asked = names.map((name) => `'type' ${quoted(name)}`)
  const printed = await runScript(shell, ["'unalias' '-a'", ...asked])
  if (printed === undefined) throw untold()
  const lines = new Set(printed.split('\n'))
  return names.filter((name) => lines.has(`${name} is a shell function`))
}
