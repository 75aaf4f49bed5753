import type { FileStat, Outcome } from '../../../../src/contract/shell-api.ts'
import { readColumns } from '../mirror/sandbox/listing.ts'
import { listPaths } from '../mirror/sandbox/look.ts'
import { runScript } from '../mirror/sandbox/script.ts'
import type { NativeShell } from '../native-shell.ts'
import { factsOf, realDirectory } from './facts.ts'
import { cutShort, missing, parentPath, word } from './failures.ts'
import { listedTime } from './listed-time.ts'

/** What is at a path, as `ls` tells it: a link as itself. */
export async function statPlace(shell: NativeShell, path: string): Promise<Outcome<FileStat>> {
  const [facts] = await factsOf(shell, [path])
  if (facts === undefined || !facts.isThere) return missing('stat', path)
  if (facts.isDirectory && !facts.isLink) return { ok: true, value: await statDirectory(shell, path) }
  const columns = readColumns((await runScript(shell, [`'ls' '-la' ${word(path)}`])) ?? cutShort(), 0)
  if (columns === undefined) return missing('stat', path)
  const { kind, size, mode, shown } = columns
  return { ok: true, value: { kind, size, mode, modified: listedTime(shown) } }
}

/** A directory is an entry of its parent. */
async function statDirectory(shell: NativeShell, path: string): Promise<FileStat> {
  const real = await realDirectory(shell, path)
  const parent = real === undefined || real === '/' ? undefined : parentPath(real)
  const entries =
    parent === undefined ? undefined : (await listPaths(shell, [parent])).directories.get(parent)
  const entry = entries?.get(real?.slice(real.lastIndexOf('/') + 1) ?? '')
  const { mode, shown } = entry ?? { mode: 0o755, shown: '' }
  return { kind: 'directory', size: 0, mode, modified: listedTime(shown) }
}
