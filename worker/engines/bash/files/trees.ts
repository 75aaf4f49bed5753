import type { IFileSystem } from '../just-bash.ts'
import type { Spot } from './namespace.ts'
import type { Node, Volume } from './volume.ts'

interface CopyOptions {
  readonly keepTimes: boolean
  readonly step: () => void
}

/** Removes what is at a path, with everything in it. */
export async function removeTree(
  volume: Volume,
  rel: string,
  kind: Node['kind'],
  step: () => void,
): Promise<void> {
  step()
  if (kind === 'directory') {
    for (const [name, entry] of await volume.list(rel))
      await removeTree(volume, rel === '' ? name : `${rel}/${name}`, entry.kind, step)
  }
  await volume.remove(rel)
}

/** Copies a file, a link or a tree, with permission bits. */
export async function copyTree(
  fs: IFileSystem,
  from: string,
  to: string,
  options: CopyOptions,
): Promise<void> {
  options.step()
  const { isDirectory, isSymbolicLink, mode, mtime } = await fs.lstat(from)
  if (isSymbolicLink) {
    await fs.rm(to, { force: true })
    await fs.symlink(await fs.readlink(from), to)
    return
  }
  const isNew = !(await fs.exists(to))
  if (isDirectory) {
    await fs.mkdir(to, { recursive: true })
    for (const name of await fs.readdir(from)) await copyTree(fs, `${from}/${name}`, `${to}/${name}`, options)
  } else await fs.writeFile(to, await fs.readFileBuffer(from))
  if (isNew || options.keepTimes) await fs.chmod(to, mode)
  if (options.keepTimes) await fs.utimes(to, mtime, mtime)
}

/** Moves between volumes: nothing is removed before everything is copied. */
export async function moveTree(fs: IFileSystem, from: Spot, to: Spot, step: () => void): Promise<void> {
  if (to.node !== undefined && to.node.kind !== 'directory') await fs.rm(to.path)
  await copyTree(fs, from.path, to.path, { keepTimes: true, step })
  await fs.rm(from.path, { recursive: true })
}
