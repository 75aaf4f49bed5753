import { HostWriteError } from '../../../host-files/errors.ts'
import { systemCode } from '../../../service/system-code.ts'

/** The texts of the system errors, as the C library has them. */
const TEXTS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EBUSY: 'Device or resource busy',
  EDQUOT: 'Disk quota exceeded',
  EEXIST: 'File exists',
  EFBIG: 'File too large',
  EINVAL: 'Invalid argument',
  EIO: 'Input/output error',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  ENAMETOOLONG: 'File name too long',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  EPERM: 'Operation not permitted',
  EROFS: 'Read-only file system',
  ESTALE: 'Stale file handle',
  EXDEV: 'Invalid cross-device link',
}

/** The errors that just-bash's programs have words for. They print the message of any other. */
const KNOWN = new Set(['ENOENT', 'EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EINVAL', 'ELOOP', 'EXDEV'])

/** A file operation that failed. */
export class FileError extends Error {
  readonly code: string
  /** In the sandbox. */
  readonly path: string
  /** What the system says of such an error. */
  readonly text: string
  /** True where the system of the host has refused it, and no limit of the sandbox. */
  readonly isOfHost: boolean
  /** The path of the policy that has refused it. */
  readonly protectedBy: string | undefined = undefined

  constructor(code: string, operation: string, path: string, isOfHost = false) {
    const text = TEXTS[code] ?? `Refused by the host (${code})`
    super(KNOWN.has(code) ? `${code}: ${text.toLowerCase()}, ${operation} '${path}'` : text)
    this.code = code
    this.path = path
    this.text = text
    this.isOfHost = isOfHost
  }
}

/** A failure of a volume, with the path in the sandbox in place of the host's. */
export function fileError(error: unknown, operation: string, path: string): unknown {
  if (error instanceof FileError || !(error instanceof Error)) return error
  const code = systemCode(error)
  return code === undefined
    ? error
    : new FileError(code, operation, path, 'syscall' in error || error instanceof HostWriteError)
}
