import { createHash } from 'node:crypto'
import type { NativeShell } from '../native-shell.ts'
import { TRANSLATION_DIRECTORY } from './directory.ts'
import type { Functions } from './facts.ts'
import { knownFunctions } from './known-functions.ts'
import { PROGRAMS } from './programs.ts'
import { Refusal } from './refusal.ts'
import { install, setSession } from './session.ts'
import type { DefiningScript } from './translation.ts'

/** Functions that a session has from before. */
export interface FormerFunctions {
  readonly scripts: readonly DefiningScript[]
  /** What is known of each that there is. */
  readonly functions: Functions
  /** What defines them. */
  readonly texts: readonly string[]
  /** Names of aliases of the session. */
  readonly aliases: readonly string[]
  /** `set -o pipefail` may have run. */
  readonly pipefail: boolean
  /** `set -u` acts. */
  readonly nounset: boolean
  /** Names of readonly variables. */
  readonly readonly: ReadonlySet<string>
}

/** Defines functions in a session that has run nothing. @throws {TypeError} where they cannot be */
export async function takeFunctions(
  shell: NativeShell,
  { scripts, functions, texts, aliases, pipefail, nounset, readonly }: FormerFunctions,
): Promise<void> {
  const files = new Map(scripts.flatMap((script) => [...script.files].map(checkedFile)))
  const installed = await install(shell, { files })
  if (installed instanceof Refusal) throw new TypeError(installed.message)
  setSession(shell, { functions, pipefail, nounset, readonly })
  knownFunctions(shell).see({
    scripts,
    unseen: [{ runs: false, computes: false, names: false, aliases }],
  })
  for (const text of [...scripts.map(({ definitions }) => definitions), ...texts]) {
    const { status } = text === '' ? { status: 0 } : await shell.run(text)
    if (status !== 0) throw new TypeError('A function of the checkpoint could not be defined.')
  }
}

/** Programs are those of this version; other files are named by what they hold. */
function checkedFile([path, content]: readonly [string, string]): readonly [string, string] {
  const name = path.startsWith(`${TRANSLATION_DIRECTORY}/`)
    ? path.slice(TRANSLATION_DIRECTORY.length + 1)
    : ''
  const program = name.startsWith('bin/') ? PROGRAMS.get(name.slice(4)) : undefined
  if (program !== undefined) return [path, program]
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
  if (name !== digest) throw new TypeError('A file of the checkpoint is not the one that its function uses.')
  return [path, content]
}
