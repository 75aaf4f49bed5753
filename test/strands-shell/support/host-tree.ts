import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { temporaryDirectory } from './temporary.ts'

/** A tree as text: a file by its path, a directory as `path/` with nothing, a link as `-> target`. */
export type Tree = Readonly<Record<string, string>>

/** A fresh directory of the host that holds this tree and goes when the test ends. */
export async function hostDirectory(tree: Tree = {}): Promise<string> {
  const directory = await temporaryDirectory()
  await plant(directory, tree)
  return directory
}

/** Adds a tree to a directory of the host. */
export async function plant(directory: string, tree: Tree): Promise<void> {
  for (const [name, text] of Object.entries(tree)) {
    const path = join(directory, name)
    await mkdir(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (text.startsWith('-> ')) await symlink(text.slice(3), path)
    else if (!name.endsWith('/')) await writeFile(path, text)
  }
}

/** What a directory of the host holds; of what is neither file, directory nor link, `?`. */
export async function treeOf(directory: string): Promise<Tree> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const pairs = entries.map(async (entry): Promise<readonly [string, string]> => {
    const path = join(entry.parentPath, entry.name)
    const name = relative(directory, path)
    if (entry.isDirectory()) return [`${name}/`, '']
    if (entry.isSymbolicLink()) return [name, `-> ${await readlink(path)}`]
    return [name, entry.isFile() ? await readFile(path, 'utf8') : '?']
  })
  return Object.fromEntries(await Promise.all(pairs))
}

/** The permission bits of a path of the host, in octal digits. */
export async function modeOf(path: string): Promise<string> {
  return ((await lstat(path)).mode & 0o777).toString(8)
}
