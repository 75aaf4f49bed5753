import { refuse, requirePath } from './arguments.ts'
import { optionsOf } from './options-of.ts'
import { kindOf } from './show-value.ts'

/** Options of {@link Sandbox.removeFile}. */
export interface RemoveOptions {
  /**
   * Whether a directory is removed too, with all that is in it. Links in it are removed, and not followed.
   *
   * @default false (a directory is refused with `IO_ERROR`)
   */
  readonly recursive?: boolean | undefined
}

/** What to remove, validated. */
export interface Removal {
  /** Without slashes at the end where it may be a directory. */
  readonly path: string
  readonly recursive: boolean
}

/** @throws SandboxConfigError with the field `path` or `recursive`. */
export function requireRemoval(path: unknown, options: unknown = {}): Removal {
  const { recursive = false } = optionsOf<RemoveOptions>(options, ['recursive'])
  if (typeof recursive !== 'boolean') {
    throw refuse('recursive', `must be true or false, but is ${kindOf(recursive)}.`)
  }
  return { path: recursive ? requireEntry(path, 'path') : requirePath(path), recursive }
}

/**
 * The two paths of `move` and `copy`, without slashes at the end.
 *
 * @throws SandboxConfigError with the field `from` or `to`.
 */
export function requirePlaces(
  act: 'move' | 'copy',
  from: unknown,
  to: unknown,
): { readonly from: string; readonly to: string } {
  const source = act === 'move' ? requireEntry(from, 'from') : withoutSlashes(requirePath(from, 'from'))
  return { from: source, to: withoutSlashes(requirePath(to, 'to')) }
}

/** A path that names an entry of a directory: such an entry can be moved and removed. */
function requireEntry(path: unknown, field: string): string {
  const text = withoutSlashes(requirePath(path, field))
  if (!/(^|\/)\.{0,2}$/.test(text)) return text
  throw refuse(field, 'must end in a name: neither the root nor "." nor ".." can be moved or removed.')
}

function withoutSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
