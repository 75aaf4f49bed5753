import { randomBytes } from 'node:crypto'

const TEMPORARY = /^\.strands-shell-[0-9a-f]{16}\.tmp$/
/** The longest name of most file systems, in bytes. */
const MAX_NAME = 255

/** A unique name for a file that is being written. */
export function temporaryName(): string {
  return `.strands-shell-${randomBytes(8).toString('hex')}.tmp`
}

/** The second name of a file, by its number, while it is replaced. It has the form of a temporary name. */
export function claimName(inode: bigint): string {
  return `.strands-shell-${inode.toString(16).padStart(16, '0')}.tmp`
}

/** Whether a name has the form of {@link temporaryName}. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith('.strands-shell-') && TEMPORARY.test(name)
}

/**
 * The `number`th name, from 1, under which a host version of `name` is kept. A long name is cut between characters, so that
 * the result fits in 255 bytes.
 */
export function conflictName(name: string, number: number): string {
  const suffix = number === 1 ? '.host-conflict' : `.host-conflict-${number}`
  const room = MAX_NAME - suffix.length
  if (Buffer.byteLength(name) <= room) return name + suffix
  let kept = ''
  let bytes = 0
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > room) break
    kept += character
  }
  return kept + suffix
}

/** Whether a relative path is valid: the root, or names joined by single slashes. */
export function isPlainPath(rel: string): boolean {
  if (rel === '') return true
  if (rel.includes('\0') || !rel.isWellFormed()) return false
  return rel.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** The last name of a path. */
export function nameOf(rel: string): string {
  return rel.slice(rel.lastIndexOf('/') + 1)
}

/** The path of `name` in the directory `rel`. */
export function childOf(rel: string, name: string): string {
  return rel === '' ? name : `${rel}/${name}`
}
