import type { NativeOutput, NativeShell } from '../native-shell.ts'
import { Recent } from './lru.ts'
import { Refusal } from './refusal.ts'
import { translate } from './translate.ts'
import type { Translated, Translation } from './translation.ts'

/** What is there in a session, by its shell: paths of files, and the helpers. */
const installed = new WeakMap<NativeShell, Set<string>>()
const recent = new Recent<Translation>(500, 20_000)

/** The translation of a command, from memory where it was run before. */
export function translationOf(command: string): Translation {
  return recent.get(command, (text) => translate(text))
}

/** What a refused command answers. */
export function refusalOutput(refusal: Refusal): NativeOutput {
  return { status: 2, stdout: '', stderr: `strands-shell: ${refusal.message}\n` }
}

/** What a command answers that cannot be read: the engine would take it for something else. */
export const UNREADABLE: NativeOutput = {
  status: 2,
  stdout: '',
  stderr:
    'strands-shell: syntax error: a quote, bracket or keyword of the command is missing or out of place\n',
}

/** Brings what a translation needs into the session. */
export async function install(shell: NativeShell, { files }: Translated): Promise<void> {
  const there = installed.get(shell) ?? new Set()
  installed.set(shell, there)
  for (const [path, content] of files) {
    if (there.has(path)) continue
    await shell.writeFile(path, new TextEncoder().encode(content))
    there.add(path)
  }
}

/** Translates source code that is staged in a file; a text that cannot be read stays as it is. */
export async function translateCode(shell: NativeShell, code: string): Promise<string | NativeOutput> {
  const translation = translationOf(code)
  if (translation instanceof Refusal) return refusalOutput(translation)
  if (translation === undefined) return code
  await install(shell, translation)
  return translation.text
}
