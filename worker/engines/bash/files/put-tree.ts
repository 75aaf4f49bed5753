import { type CheckpointEntry, FILE_KEY, GONE } from '../../../../src/contract/checkpoint.ts'
import type { TreeRecord } from '../../../../src/contract/shell-record.ts'
import { errorMessage } from '../../../service/error-message.ts'
import { FarError } from '../../../service/far-error.ts'
import { parseFact } from '../checkpoint/parse-fact.ts'
import type { IFileSystem } from '../just-bash.ts'

/** Puts the files of a snapshot. @param binds - their destinations: nothing can be put there. @throws FarError naming the path that could not be put */
export async function putTree(
  fs: IFileSystem,
  { entries, contents }: TreeRecord,
  binds: readonly string[],
): Promise<void> {
  const bytes = new Map(contents.map((content) => [content.id, content.bytes]))
  const parentsFirst = [...entries].sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const entry of parentsFirst) {
    const path = entry.key.slice(FILE_KEY.length)
    try {
      const isBound = binds.some((bind) => path.startsWith(`${bind}/`))
      if (isBound) throw new TypeError('it is in a bind')
      await put(fs, path, entry, bytes)
    } catch (error) {
      const message = `snapshot: '${path}' cannot be put: ${errorMessage(error)}`
      throw new FarError({ code: 'INVALID_CONFIG', field: 'snapshot', message })
    }
  }
}

async function put(
  fs: IFileSystem,
  path: string,
  { value, content }: CheckpointEntry,
  contents: ReadonlyMap<number, Uint8Array>,
): Promise<void> {
  const there = await fs.lstat(path).catch(() => undefined) // There is nothing.
  const fact = value === GONE ? undefined : parseFact(value)
  const isKept = fact?.type === 'directory' && there?.isDirectory === true
  if (there !== undefined && !isKept) await fs.rm(path, { recursive: true, force: true })
  if (fact === undefined) return
  await fs.mkdir(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true })
  const { type, mode, modified, target } = fact
  if (type === 'symlink') {
    await fs.symlink(target, path)
    return
  }
  const bytes = content === undefined ? undefined : contents.get(content)
  if (type === 'directory') await fs.mkdir(path, { recursive: true })
  else if (bytes === undefined) throw new TypeError('it has no content')
  else await fs.writeFile(path, bytes)
  await fs.chmod(path, mode)
  const time = new Date(modified)
  await fs.utimes(path, time, time)
}
