import { lstatSync } from 'node:fs'
import { resolveSource } from '../../../host-files/resolve-source.ts'
import { FarError } from '../../../service/far-error.ts'
import type { JailBind } from './jail-bind.ts'

/** Sources that are never bound, with what is in them: they are not files, or lead to services of the host. */
const REFUSED_SOURCES = ['/proc', '/sys', '/dev', '/run']
/** Places that are the jail's own, with what is in them. */
const OWN_PLACES = [
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
]

/**
 * The binds with the real paths of their sources.
 *
 * @param hidden - directories of the host that no jail may see, such as that of temporary files: others' jails are there.
 * @throws FarError `INVALID_CONFIG` for a bind that cannot be
 */
export function checkBinds(binds: readonly JailBind[], hidden: readonly string[]): readonly JailBind[] {
  const checked = binds.map((bind, index) => {
    checkPlace(bind.destination, `binds[${index}].destination`)
    const resolved = resolveSource(bind, index)
    checkSource(resolved, hidden, `binds[${index}].source`)
    return resolved
  })
  for (const [index, bind] of checked.entries()) {
    for (const [earlier, other] of checked.slice(0, index).entries()) checkPair(bind, index, other, earlier)
  }
  return checked
}

function checkPlace(destination: string, field: string): void {
  const own = OWN_PLACES.find((place) => isAtOrBelow(destination, place))
  if (destination === '/' || own !== undefined)
    throw refused(field, `must be a place of its own, but ${own ?? '/'} is the jail's. Use one such as /work`)
}

function checkSource({ source, mode }: JailBind, hidden: readonly string[], field: string): void {
  const refuse = (why: string) => refused(field, `must not be ${source}: ${why}`)
  if (source === '/') throw refuse('that is the whole host. Bind the directory that is needed')
  const isShared = source.startsWith('/dev/shm/')
  const system = REFUSED_SOURCES.find((place) => !isShared && isAtOrBelow(source, place))
  if (system !== undefined)
    throw refuse(`what is in ${system} is no file of the user. Copy what is needed to a directory of its own`)
  const shown = hidden.find((place) => isAtOrBelow(place, source))
  if (shown !== undefined)
    throw refuse(`the runtime keeps files of other sandboxes in ${shown}. Bind a directory inside it`)
  if (mode === 'overlay' && !lstatSync(source).isDirectory())
    throw refuse(
      "an overlay is made of directories, and this is a file. Bind its directory, or use mode 'direct'",
    )
}

function checkPair(bind: JailBind, index: number, other: JailBind, earlier: number): void {
  if (overlaps(bind.destination, other.destination)) {
    const field = `binds[${index}].destination`
    throw refused(
      field,
      `must not lie in that of binds[${earlier}], or around it. Give each a place of its own`,
    )
  }
  const writes = (one: JailBind) => one.mode === 'direct' && !one.readonly
  const isMixed = (writes(bind) && other.mode === 'overlay') || (writes(other) && bind.mode === 'overlay')
  if (isMixed && overlaps(bind.source, other.source)) {
    const field = `binds[${index}].source`
    throw refused(
      field,
      `shares files with that of binds[${earlier}]: one is an overlay, and the other writes below it. Make both overlays, or one read-only`,
    )
  }
}

function overlaps(one: string, other: string): boolean {
  return isAtOrBelow(one, other) || isAtOrBelow(other, one)
}

function isAtOrBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

function refused(field: string, problem: string): FarError {
  return new FarError({ code: 'INVALID_CONFIG', field, message: `${field} ${problem}.` })
}
