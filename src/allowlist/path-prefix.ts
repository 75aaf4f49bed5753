import { posix } from 'node:path'

/** As often as a path is decoded to see what a careless server could make of it. */
const DECODINGS = 5

/** A path that addresses below it start with, in two readings. */
export interface PathPrefix {
  readonly plain: string
  readonly loose: string
}

/** @throws TypeError for a path that has no loose reading */
export function pathPrefix(path: string): PathPrefix {
  const loose = looseReading(path)
  if (loose === undefined) throw new TypeError('The path holds escapes that are not UTF-8.')
  return { plain: path, loose }
}

/**
 * Whether a path (as a URL parser gives it) lies below a prefix, at the border of a segment: below `/api` are
 * `/api` and `/api/x`, below `/api/` is `/api/x`. A path that a server could take for one elsewhere, such as
 * `/api/..%2fx`, `/api/..;/x` or `/api//..%5cx`, does not.
 */
export function isBelow(path: string, prefix: PathPrefix): boolean {
  if (prefix.plain === '/') return true
  const loose = looseReading(path)
  return loose !== undefined && startsWith(path, prefix.plain) && startsWith(loose, prefix.loose)
}

function startsWith(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false
  return prefix.endsWith('/') || path.length === prefix.length || path[prefix.length] === '/'
}

/** The path with every escape decoded, `\` as `/`, no parameters of segments, and `.`, `..` and `//` resolved. */
function looseReading(path: string): string | undefined {
  const decoded = decodeFully(path)
  return decoded === undefined
    ? undefined
    : posix.normalize(decoded.replaceAll('\\', '/').replaceAll(/;[^/]*/g, ''))
}

/** Undefined for escapes that are not UTF-8, or that are nested too deeply. */
function decodeFully(path: string): string | undefined {
  let decoded = path
  for (let round = 0; round < DECODINGS; round++) {
    const next = decode(decoded)
    // A `%` that was itself escaped stands for itself.
    if (next === undefined) return round === 0 ? undefined : decoded
    if (next === decoded) return decoded
    decoded = next
  }
  return undefined
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // The caller says what that means.
  }
}
