import type { ApplyRequest } from '../contract/shell-api.ts'
import {
  type ResolvedCallLimits,
  reading,
  refuse,
  requireOptions,
  requirePath,
  requireText,
  resolveLimits,
} from '../sandbox/arguments.ts'
import { kindOf, quote, showValue } from '../sandbox/show-value.ts'
import { isDestination, normalizeDestination } from './destination.ts'

/** What may cut one call short. */
export interface CallOptions {
  /**
   * Seconds after which the call rejects with `SandboxTimeoutError`: a positive, finite number of at
   * most 86400 (a day).
   *
   * @default undefined (none)
   */
  readonly timeout?: number | undefined
  /**
   * Rejects the call with `SandboxAbortError` when it is aborted.
   *
   * @default undefined (none)
   */
  readonly signal?: AbortSignal | undefined
}

/** Options of `changes()`. Keys it does not know are refused. */
export interface ChangesOptions extends CallOptions {
  /**
   * The `mark` of an earlier report of the same session: only what came later is reported.
   *
   * @default undefined (everything since open)
   */
  readonly since?: string | undefined
}

/** Options of `applyChanges()`. Keys it does not know are refused: a mistyped `paths` would apply everything. */
export interface ApplyChangesOptions extends CallOptions {
  /** The destination of the copy bind whose changes are to reach the host. */
  readonly bind: string
  /**
   * The paths to write, as `changes()` names them: absolute, in the sandbox, at or below `bind`. An empty
   * list writes nothing.
   *
   * @default undefined (every change)
   */
  readonly paths?: readonly string[] | undefined
}

/**
 * Validates and copies the options of `changes()`, reading each once.
 *
 * @throws SandboxConfigError naming the field.
 */
export function resolveChangesOptions(options?: unknown): ResolvedCallLimits & { readonly since?: string } {
  if (options === undefined) return {}
  return read(options, ['since', 'timeout', 'signal'], ({ since, timeout, signal }) => ({
    ...resolveLimits(timeout, signal),
    ...(since === undefined ? {} : { since: requireMark(since) }),
  }))
}

/**
 * Validates and copies the options of `applyChanges()`, reading each once.
 *
 * @throws SandboxConfigError naming the field, such as `bind` or `paths[0]`.
 */
export function resolveApplyOptions(options: unknown): {
  readonly request: ApplyRequest
  readonly limits: ResolvedCallLimits
} {
  return read(options, ['bind', 'paths', 'timeout', 'signal'], ({ bind, paths, timeout, signal }) => {
    const root = requireDestination(bind, 'bind')
    return {
      request: { bind: root, ...(paths === undefined ? {} : { paths: requirePaths(paths, root) }) },
      limits: resolveLimits(timeout, signal),
    }
  })
}

/** Hands the fields of an object to `copy`; fields that are not known are refused. */
function read<const Key extends string, T>(
  options: unknown,
  known: readonly Key[],
  copy: (fields: Partial<Record<Key, unknown>>) => T,
): T {
  if (typeof options !== 'object' || options === null) {
    throw refuse('options', `must be an object with ${known.join(', ')}, but is ${kindOf(options)}.`)
  }
  return reading('options', () => {
    requireOptions(options, known)
    return copy(options)
  })
}

function requireMark(since: unknown): string {
  const mark = requireText(since, 'since')
  if (mark === '') throw refuse('since', 'must be the mark of an earlier report, but is empty.')
  return mark
}

function requirePaths(paths: unknown, root: string): readonly string[] {
  if (!Array.isArray(paths)) throw refuse('paths', `must be an array of paths, but is ${kindOf(paths)}.`)
  return Array.from(paths, (path: unknown, index) => {
    const field = `paths[${index}]`
    const normal = requireDestination(path, field)
    if (normal === root || normal.startsWith(root === '/' ? root : `${root}/`)) return normal
    throw refuse(field, `must lie in the bind ${quote(root)}, but is ${showValue(path)}.`)
  })
}

function requireDestination(path: unknown, field: string): string {
  const text = requirePath(path, field)
  if (isDestination(text)) return normalizeDestination(text)
  throw refuse(
    field,
    `must be an absolute path inside the sandbox, without "..", but is ${showValue(text)}. Begin it with "/".`,
  )
}
