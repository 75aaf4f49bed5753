import type { NativeShell } from '../../native-shell.ts'
import { quoted } from '../../quoting.ts'
import { cutShort, runScript } from './script.ts'

/** Tests in one expression: joined tests are cheap. If a group has a newer path, smaller groups find it. */
const groups = [250, 16, 1]

/** Which of these absolute paths were changed after the stamp was touched. */
export async function newerThan(
  shell: NativeShell,
  stamp: string,
  paths: readonly string[],
): Promise<Set<string>> {
  let suspects = paths
  for (const size of groups) {
    if (suspects.length === 0) break
    const newer: string[] = []
    for (const some of chunksOf(suspects, 1000))
      newer.push(...(await groupsWithNewer(shell, stamp, some, size)))
    suspects = newer
  }
  return new Set(suspects)
}

/** The paths of those groups of `size` in which one is newer. */
async function groupsWithNewer(
  shell: NativeShell,
  stamp: string,
  paths: readonly string[],
  size: number,
): Promise<string[]> {
  const chunks = chunksOf(paths, size)
  const lines = chunks.map((chunk, index) => {
    const tests = chunk.map((path) => `${quoted(path)} -nt ${stamp}`)
    return `'[' ${tests.join(' -o ')} ']' && 'echo' '${index}'`
  })
  const output = await runScript(shell, lines)
  if (output !== undefined)
    return output
      .split('\n')
      .slice(0, -1)
      .flatMap((index) => chunks[Number(index)] ?? [])
  if (paths.length === 1) throw cutShort()
  const found: string[] = []
  for (const part of chunksOf(paths, Math.ceil(paths.length / 4))) {
    found.push(...(await groupsWithNewer(shell, stamp, part, Math.min(size, part.length))))
  }
  return found
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = []
  for (let from = 0; from < items.length; from += size) chunks.push(items.slice(from, from + size))
  return chunks
}
