import { posix } from 'node:path'
import { refuse, requirePath } from '../../sandbox/arguments.ts'
import { isWithin } from '../../sandbox/is-within.ts'
import { kindOf } from '../../sandbox/show-value.ts'

/** Absolute paths, normalized. @throws SandboxConfigError with that field, or that of one */
export function absolutePaths(paths: unknown, field: string): readonly string[] {
  if (!Array.isArray(paths))
    throw refuse(field, `must be an array of absolute paths, but is ${kindOf(paths)}.`)
  return Array.from(paths, (path: unknown, index) => absolutePath(path, `${field}[${index}]`))
}

function absolutePath(path: unknown, field: string): string {
  const text = requirePath(path, field)
  if (!text.startsWith('/')) throw refuse(field, 'must be an absolute path of the sandbox, such as "/work".')
  return normalized(text)
}

function normalized(path: string): string {
  const text = posix.normalize(path)
  return text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text
}

/** Where a path leads from a directory, without `..`; undefined where that is not known. */
export function resolved(path: string, directory: string | undefined): string | undefined {
  if (path.startsWith('/')) return normalized(path).replace(/^\/+/, '/')
  return directory?.startsWith('/') === true
    ? normalized(`${directory}/${path}`).replace(/^\/+/, '/')
    : undefined
}

/** Which paths cannot be written, by the rules of an engine: of two that hold a path, the longer one decides. */
export class Protection {
  readonly #protected: readonly string[]
  readonly #writable: readonly string[]

  constructor(protectedPaths: readonly string[], writablePaths: readonly string[]) {
    this.#protected = protectedPaths
    this.#writable = writablePaths
  }

  /** Whether a file at this place cannot be written. */
  holds(path: string): boolean {
    return longest(this.#protected, path) > longest(this.#writable, path)
  }

  /** Whether this place, or one below it, cannot be written: for what moves or removes a directory. */
  touches(path: string): boolean {
    return this.holds(path) || this.#protected.some((one) => isWithin(path, one))
  }
}

function longest(directories: readonly string[], path: string): number {
  return Math.max(0, ...directories.filter((one) => isWithin(one, path)).map((one) => one.length))
}
