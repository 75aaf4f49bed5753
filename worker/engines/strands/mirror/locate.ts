import { posix } from 'node:path'
import { ancestorsOf } from '../../../host-files/paths.ts'
import { quoted } from '../quoting.ts'
import type { Mirror } from './mirror.ts'
import { runScript } from './sandbox/script.ts'

/**
 * Where a path of a file operation leads: to a path in a mirror, `'elsewhere'` (in no mirror), or `'anywhere'`: through a
 * link or from an unknown directory it may lead to any mirror.
 */
export async function locate(
  mirrors: readonly Mirror[],
  path: string,
): Promise<{ readonly mirror: Mirror; readonly rel: string } | 'elsewhere' | 'anywhere'> {
  const absolute = path.startsWith('/') ? path : await fromCurrent(mirrors, path)
  if (absolute === undefined || absolute.split('/').includes('..')) return 'anywhere'
  const normal = posix.normalize(absolute).replace(/(.)\/$/, '$1')
  for (const mirror of mirrors) {
    const rel = mirror.setup.place.rel(normal)
    if (rel === undefined || mirror.setup.isExcluded(rel, false) || mirror.setup.isExcluded(rel, true))
      continue
    const links = [...ancestorsOf(rel), rel].some((part) => mirror.ledger.sandboxAt(part)?.kind === 'link')
    return links ? 'anywhere' : { mirror, rel }
  }
  return (await hasLink(mirrors, normal)) ? 'anywhere' : 'elsewhere'
}

async function fromCurrent([mirror]: readonly Mirror[], path: string): Promise<string | undefined> {
  const directory = mirror && (await runScript(mirror.shell, ["'pwd' '-P'"]))?.slice(0, -1)
  return directory?.startsWith('/') ? `${directory}/${path}` : undefined
}

/** Whether a part of `path` is a link; `true` if that is unknown. */
async function hasLink([mirror]: readonly Mirror[], path: string): Promise<boolean> {
  if (mirror === undefined) return false
  const parts = [...ancestorsOf(path.slice(1)), path.slice(1)].map((part) => `'-L' ${quoted(`/${part}`)}`)
  return (await runScript(mirror.shell, [`'[' ${parts.join(" '-o' ")} ']' && 'echo' 'link'`])) !== ''
}
