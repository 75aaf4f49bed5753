import { FarError } from '../service/far-error.ts'
import type { Tracked } from './tracked.ts'

/** The copy at a destination. @throws FarError `INVALID_CONFIG` if there is none, or its changes cannot be applied. */
export function copyAt<One extends Tracked>(mirrors: readonly One[], bind: string): One {
  const mirror = mirrors.find(({ setup }) => setup.place.root === bind)
  if (mirror === undefined) throw refused('bind', `must be the destination of a copy, but is ${bind}.`)
  if (mirror.setup.live) {
    throw refused('bind', `names ${bind}, whose changes are on the host already: nothing is left to apply.`)
  }
  if (mirror.setup.readonly) {
    throw refused('bind', `names ${bind}, which is read-only: its changes never reach the host.`)
  }
  return mirror
}

/**
 * Which changes of a copy these sandbox paths choose. A path chooses itself, all below it, and the new directories that
 * lead to it. Without paths, all changes are chosen.
 */
export function choose(mirror: Tracked, paths: readonly string[] | undefined): (rel: string) => boolean {
  const { place } = mirror.setup
  const chosen = paths?.map((path) => {
    const rel = place.rel(path)
    if (rel === undefined) throw refused('paths', `must be in ${place.root}, but ${path} is not.`)
    return rel
  })
  if (chosen === undefined) return () => true
  return (rel) => {
    const leads = mirror.ledger.sandboxAt(rel)?.kind === 'directory'
    return chosen.some(
      (one) => one === '' || rel === one || rel.startsWith(`${one}/`) || (leads && one.startsWith(`${rel}/`)),
    )
  }
}

function refused(field: string, problem: string): FarError {
  return new FarError({ code: 'INVALID_CONFIG', field, message: `${field} ${problem}` })
}
