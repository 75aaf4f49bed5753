import { ancestorsOf } from '../../../host-files/paths.ts'
import { quoted } from '../quoting.ts'
import type { Mirror } from './mirror.ts'
import { runScript } from './sandbox/script.ts'

/** The session's directory, without links; `undefined` if that is unknown. */
export async function currentDirectory([mirror]: readonly Mirror[]): Promise<string | undefined> {
  return mirror && (await runScript(mirror.shell, ["'pwd' '-P'"]))?.slice(0, -1)
}

/** Whether one of these absolute paths is a link in the sandbox; `true` if that is unknown. */
export async function hasLink([mirror]: readonly Mirror[], paths: readonly string[]): Promise<boolean> {
  if (mirror === undefined || paths.length === 0) return false
  const tests = [...new Set(paths)].map((path) => `'-L' ${quoted(path)}`)
  return (await runScript(mirror.shell, [`'[' ${tests.join(" '-o' ")} ']' && 'echo' 'link'`])) !== ''
}

/** Whether a path of a mirror, or what leads to it, is a link. It may be one that the ledger does not have, because it is excluded. */
export function mayLeadOn({ ledger, setup }: Mirror, rel: string): boolean {
  return [...ancestorsOf(rel), rel].some((part) => {
    const known = ledger.sandboxAt(part)
    return known === undefined ? setup.isExcluded(part, false) : known.kind === 'link'
  })
}
