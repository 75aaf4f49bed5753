import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BashRecord } from '../../../../src/contract/shell-record.ts'
import { refuseFile } from '../../../host-files/refuse-file.ts'
import type { TakeInBounds, TakenIn } from '../../../host-files/take-in.ts'
import type { HostEntry } from '../../../host-files/types.ts'
import { errorMessage } from '../../../service/error-message.ts'
import { FarError } from '../../../service/far-error.ts'
import type { IFileSystem } from '../just-bash.ts'

/** Files, directories and links of one host directory, at most. */
const MAX_TAKEN = 50_000

/** Entries that are put before the other sessions of the thread have a turn. */
const TURN = 100

/** How much of a host directory a session may begin with. */
export function takeInBounds({
  maxFileSize,
  maxFileSystem,
}: Pick<BashRecord['limits'], 'maxFileSize' | 'maxFileSystem'>): TakeInBounds {
  return {
    maxFiles: MAX_TAKEN,
    maxBytes: maxFileSystem,
    maxFileSize,
    names: { maxFiles: undefined, maxBytes: 'limits.maxFileSystem' },
  }
}

/** Writes files, and the directories they are in. @throws FarError naming the file that could not be written */
export async function putFiles(fs: IFileSystem, files: NonNullable<BashRecord['files']>): Promise<void> {
  for (const [path, content] of files) {
    await naming(path, async () => {
      const folder = path.slice(0, path.lastIndexOf('/'))
      if (folder !== '') await fs.mkdir(folder, { recursive: true })
      await fs.writeFile(path, content)
    })
  }
}

/** Makes the directories that a session begins with, where they do not exist. @throws FarError naming the field */
export async function makeDirectories(
  fs: IFileSystem,
  { cwd, writable = [] }: Pick<BashRecord, 'cwd' | 'writable'>,
): Promise<void> {
  for (const [index, path] of writable.entries()) await makeDirectory(fs, path, `writable[${index}]`)
  await makeDirectory(fs, cwd, 'cwd')
}

/**
 * Puts what a host directory holds. @param own - paths of files that stay as they are.
 *
 * @throws FarError naming the directory that could not be put
 */
export async function putTaken(fs: IFileSystem, taken: TakenIn, own: ReadonlySet<string>): Promise<void> {
  await naming(taken.path, async () => {
    await fs.mkdir(taken.path, { recursive: true })
    let count = 0
    for (const [rel, entry] of taken.entries) {
      const path = `${taken.path}/${rel}`
      if (!own.has(path)) await putEntry(fs, path, entry, () => taken.read(rel))
      count += 1
      if (count % TURN === 0) await nextTurn()
    }
  })
}

async function putEntry(
  fs: IFileSystem,
  path: string,
  { kind, mode, modified, target = '' }: HostEntry,
  read: () => Uint8Array | undefined,
): Promise<void> {
  if (kind === 'link') {
    await fs.symlink(target, path)
    return
  }
  if (kind === 'directory') await fs.mkdir(path, { recursive: true })
  else {
    const bytes = read()
    if (bytes === undefined) return
    await fs.writeFile(path, bytes)
  }
  await fs.chmod(path, mode)
  const time = new Date(Number(modified / 1_000_000n))
  await fs.utimes(path, time, time)
}

async function makeDirectory(fs: IFileSystem, path: string, field: string): Promise<void> {
  const found = (await fs.exists(path)) ? await fs.stat(path) : undefined
  if (found?.isDirectory === true) return
  const refused = (reason: string) =>
    new FarError({ code: 'INVALID_CONFIG', field, message: `${field} cannot be made: ${reason}` })
  if (found !== undefined) throw refused(`${path} is no directory`)
  await fs.mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw refused(errorMessage(error))
  })
}

async function naming(path: string, put: () => Promise<void>): Promise<void> {
  try {
    await put()
  } catch (error) {
    throw refuseFile(path, errorMessage(error))
  }
}
