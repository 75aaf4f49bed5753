import { quote } from '../sandbox/show-value.ts'
import type { FileEntry } from './manifest-schema.ts'
import { refuseSnapshot } from './refuse.ts'

/** Characters of a path, or of what a link leads to. */
const MOST_CHARACTERS = 32_768
/** Names in a path. */
const MOST_NAMES = 2_000

/**
 * Holds the paths of a snapshot to those that a session can have: absolute, without `.` and `..`, each once, and nothing below
 * what is no directory.
 *
 * @throws SnapshotError naming the path
 */
export function checkPaths(files: readonly FileEntry[]): void {
  const kinds = new Map<string, FileEntry['type']>()
  for (const file of files) {
    const { path, type } = file
    const fault = faultOf(path)
    if (fault !== undefined) throw refuseSnapshot('malformed', `has the path ${quote(path)}, which ${fault}.`)
    if (kinds.has(path)) throw refuseSnapshot('malformed', `has the path ${quote(path)} twice.`)
    const targetFault = file.type === 'symlink' ? textFault(file.target) : undefined
    if (targetFault !== undefined)
      throw refuseSnapshot('malformed', `has a link at ${quote(path)} whose target ${targetFault}.`)
    kinds.set(path, type)
  }
  for (const { path, type } of files) {
    const parent = path.slice(0, Math.max(1, path.lastIndexOf('/')))
    const above = kinds.get(parent)
    if (type === 'gone' || path === '/' || above === undefined || above === 'directory') continue
    throw refuseSnapshot('malformed', `has the path ${quote(path)} below what is no directory.`)
  }
}

function faultOf(path: string): string | undefined {
  if (path === '/') return undefined
  if (!path.startsWith('/')) return 'is not absolute'
  const names = path.slice(1).split('/')
  if (names.length > MOST_NAMES) return `has more than ${MOST_NAMES} names`
  if (names.some((name) => name === '' || name === '.' || name === '..')) return 'is not normalized'
  return textFault(path)
}

/** Bytes that are no UTF-8 are lone surrogates from U+DC80 to U+DCFF; no others can be. */
function textFault(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return `has more than ${MOST_CHARACTERS} characters`
  if (text.includes('\0')) return 'holds a NUL character'
  if (!text.isWellFormed() && !text.replaceAll(/[\udc80-\udcff]/gu, '').isWellFormed())
    return 'holds half of a surrogate pair'
  return undefined
}
