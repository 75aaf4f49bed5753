import { isExhausted } from '../service/exhaustion.ts'
import { systemCode } from '../service/system-code.ts'

/** The source of a bind is missing, or is no longer the directory or file that it was. */
export class HostGoneError extends Error {
  override readonly name = 'HostGoneError'
  /** The absolute path of the source. */
  readonly source: string

  constructor(source: string, options?: ErrorOptions) {
    super(`The host's '${source}' is missing, or is no longer what was bound.`, options)
    this.source = source
  }
}

/** The host has something at a path that is never replaced, or the path must not be written. Nothing was changed. */
export class HostRefusedError extends Error {
  override readonly name = 'HostRefusedError'
  /** Relative to the bind. */
  readonly path: string
  /** What prevents the write: `a FIFO`, `a link that leads out`. */
  readonly reason: string

  constructor(path: string, reason: string) {
    super(`'${path}' is not written to the host: ${reason}.`)
    this.path = path
    this.reason = reason
  }
}

/** The host refused an operation. The file is still whole, old or new. */
export class HostWriteError extends Error {
  override readonly name = 'HostWriteError'
  /** Relative to the bind. */
  readonly path: string
  /** The name of the system's error: `ENOSPC`, `EACCES`. */
  readonly code: string

  constructor(path: string, code: string, options?: ErrorOptions) {
    super(`'${path}' could not be written to the host: ${code}.`, options)
    this.path = path
    this.code = code
  }
}

/** An operation on a live host file that is refused, with the name of the system error that says why: `EROFS`, `EXDEV`. */
export class HostFileError extends Error {
  override readonly name = 'HostFileError'
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Whether a path or one of its parents is missing or of another kind: look again. */
export function isAbsence(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ESTALE'
}

/** Whether an error is not about the path: there is no further descriptor or memory, or it is no error of the system. */
export function isExhaustion(error: unknown): boolean {
  return systemCode(error) === undefined || isExhausted(error)
}
