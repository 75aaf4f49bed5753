import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Cannot, type Setting } from './contender.ts'

/** Rejects settings that need a host. @throws {Cannot} */
export function refuseHosting({ startEach, warm = 0 }: Setting): void {
  if (startEach === true) throw new Cannot('runs in the thread of its caller')
  if (warm > 0) throw new Cannot('keeps no places ready')
}

/** The files of a directory of the host as texts, by their paths below `root`. */
export function readTree(tree: string, root: string): Record<string, string> {
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    paths.map((path) => [`${root}${path.slice(tree.length)}`, readFileSync(path, 'utf8')]),
  )
}
