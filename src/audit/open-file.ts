import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { refuse } from '../sandbox/arguments.ts'
import { errorCode } from '../sandbox/error-code.ts'
import type { SandboxConfigError } from '../sandbox/errors.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { quote } from '../sandbox/show-value.ts'
import type { FileSystem } from './file-system.ts'
import { cutPartialLine } from './partial-line.ts'

/** The files that logs of this process write. */
const inUse = new Set<string>()

/** The path without links. @throws SandboxConfigError with the field `file` where its directory is not there */
export function realPathOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    // There is no such file: it is made.
  }
  try {
    return join(realpathSync(dirname(file)), basename(file))
  } catch (error) {
    throw unwritable(file, error)
  }
}

/** Gives how to let go of it. @throws SandboxConfigError with the field `file` where another log has it */
export function takePath(path: string): () => void {
  if (inUse.has(path)) {
    throw refuse('file', `${quote(path)} is that of another audit log. Give the hosts the same log.`)
  }
  inUse.add(path)
  return () => inUse.delete(path)
}

/** Opens a file whose lines are whole, or made so. @throws SandboxConfigError with the field `file` */
export function openWhole(path: string, fs: FileSystem): number {
  let fd: number | undefined
  try {
    fd = fs.openNow(path)
    if (!fs.factsNow(fd).isFile) throw new Error('it is no regular file')
    cutPartialLine(fd, fs)
    return fd
  } catch (error) {
    if (fd !== undefined) fs.closeNow(fd)
    throw unwritable(path, error)
  }
}

function unwritable(file: string, error: unknown): SandboxConfigError {
  const remedy = errorCode(error) === 'ENOENT' ? 'Make its directory first.' : 'Name another file.'
  return refuse('file', `${quote(file)} cannot be written: ${errorMessage(error)}. ${remedy}`, error)
}
