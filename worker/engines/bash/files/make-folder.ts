import type { IFileSystem } from '../just-bash.ts'

/**
 * Makes a directory and those that lead to it. just-bash makes directories below a file.
 *
 * @throws Error `ENOTDIR` where a part of the path is no directory
 */
export async function makeFolder(fs: IFileSystem, path: string): Promise<void> {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const stat = await fs.stat(at).catch(() => undefined)
    if (stat?.isDirectory === true) break
    if (stat !== undefined) throw new Error(`ENOTDIR: ${at} is no directory`)
  }
  try {
    await fs.mkdir(path, { recursive: true })
  } catch (error) {
    if (error instanceof Error && error.message.includes('EEXIST'))
      throw new Error(`ENOTDIR: ${path} is below a file`, { cause: error })
    throw error
  }
}
