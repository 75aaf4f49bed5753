import { constants } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../sandbox/error-code.ts'
import { SandboxIoError } from '../../sandbox/errors.ts'
import { below, realPath } from '../real-path.ts'
import { escapes, requireRelativePath } from '../relative-path.ts'

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_WRONLY } = constants

/** Not blocking: a FIFO that nobody reads is an error, not a wait without end. */
const WRITE = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK

/**
 * Writes a file below a directory; directories that lead to it are made, and no link leads out.
 *
 * @param directory - A real path.
 * @throws SandboxPermissionError for a path that leads out, be it by `..` or by a link
 * @throws SandboxIoError where it cannot be written
 */
export async function writeBelow(directory: string, path: string, content: Uint8Array): Promise<void> {
  const target = confine(directory, requireRelativePath(path), path)
  await guard(path, async () => {
    await mkdir(dirname(target), { recursive: true })
    const file = await open(target, WRITE, 0o666)
    try {
      await file.writeFile(content)
    } finally {
      await file.close()
    }
  })
}

/**
 * Removes a file or link below a directory; one that is not there is fine.
 *
 * @throws as {@link writeBelow}
 */
export async function removeBelow(directory: string, path: string): Promise<void> {
  const relative = requireRelativePath(path)
  const parent = confine(directory, dirname(relative), path)
  await guard(path, async () => {
    try {
      await rm(join(parent, basename(relative)), { force: true })
    } catch (error) {
      // A file stands where its directory would be: it is not there.
      if (errorCode(error) !== 'ENOTDIR') throw error
    }
  })
}

function confine(directory: string, relative: string, given: string): string {
  const target = resolveLinks(join(directory, relative), given)
  if (below(directory, target) === undefined) throw escapes(given)
  return target
}

function resolveLinks(path: string, given: string): string {
  try {
    return realPath(path)
  } catch (cause) {
    throw new SandboxIoError(`Where ${given} leads cannot be told: ${String(cause)}`, { path: given, cause })
  }
}

async function guard(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    if (errorCode(cause) === 'ELOOP') throw escapes(path)
    throw new SandboxIoError(`${path}: ${String(cause)}`, { path, cause })
  }
}
