import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync } from 'node:fs'
import { ancestorsOf } from '../../../host-files/paths.ts'
import { HostTree } from '../../../host-files/tree.ts'
import { FarError } from '../../../service/far-error.ts'
import { systemTool } from '../system-tool.ts'

/** The name of the layer in its directory. */
export const layerName = 'layer'

/** What a bind leaves out of its source. */
interface Exclusion {
  readonly source: string
  readonly isExcluded: (rel: string, isDirectory: boolean) => boolean
}

/**
 * Fills a directory with what hides the excluded paths of a source, where it lies over it: whiteouts, which are devices with the
 * number 0, and the directories that lead to them.
 *
 * @param directory - empty, on a file system that can hold whiteouts.
 * @returns whether anything is hidden
 * @throws FarError `INVALID_CONFIG` where the directory cannot hold one
 */
export function hideExcluded({ source, isExcluded }: Exclusion, directory: string, field: string): boolean {
  const hidden = new Set<string>()
  const tree = new HostTree(source, {
    maxFileSize: 0,
    isExcluded: (rel, isDirectory) => {
      const isOut = isExcluded(rel, isDirectory)
      if (isOut) hidden.add(rel)
      return isOut
    },
  })
  const { entries } = tree.scan()
  if (hidden.size === 0) return false
  const whiteout = makeWhiteout(`${directory}/whiteout`, field)
  const layer = (rel: string) => `${directory}/${layerName}${rel === '' ? '' : `/${rel}`}`
  const above = new Set([...hidden].flatMap((rel) => ['', ...ancestorsOf(rel)]))
  for (const rel of above) mkdirSync(layer(rel))
  for (const rel of hidden) linkSync(whiteout, layer(rel))
  // Only now: they may forbid to write.
  for (const rel of [...above].reverse()) chmodSync(layer(rel), entries.get(rel)?.mode ?? 0o755)
  return true
}

function makeWhiteout(path: string, field: string): string {
  try {
    execFileSync(systemTool('mknod') ?? 'mknod', [path, 'c', '0', '0'], { stdio: 'pipe' })
    return path
  } catch (error) {
    throw new FarError({
      code: 'INVALID_CONFIG',
      field,
      message: `${field} cannot be hidden in an overlay: ${path} could not be made, which takes Linux 5.8 and a temporary directory that is no overlay itself. Set TMPDIR to a directory on a disk, or leave the patterns out.`,
      detail: error instanceof Error ? error.message : String(error),
    })
  }
}
