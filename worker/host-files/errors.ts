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

/** The code of a system error, `undefined` for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Whether a path or one of its parents is missing or of another kind: look again. */
export function isAbsence(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ESTALE'
}

/** Whether this process ran out of descriptors or memory: the error is not about the path. */
export function isExhaustion(error: unknown): boolean {
  const code = systemCode(error)
  return code === undefined || code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM'
}
