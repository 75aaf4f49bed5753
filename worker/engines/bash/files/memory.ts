import type { BashRecord } from '../../../../src/contract/shell-record.ts'
import type { IFileSystem, JustBash } from '../just-bash.ts'
import { type MemoryFs, openMemory } from './devices.ts'

/** Directories that a system has. */
const DIRECTORIES = [
  '/home/user',
  '/tmp',
  '/var/tmp',
  '/var/log',
  '/etc',
  '/opt',
  '/root',
  '/srv',
  '/mnt',
  '/usr/local/bin',
]

const ETC: Readonly<Record<string, string>> = {
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000:user:/home/user:/bin/bash\n',
  '/etc/group': 'root:x:0:\nuser:x:1000:\n',
  '/etc/hostname': 'localhost\n',
  '/etc/hosts': '127.0.0.1\tlocalhost\n',
  '/etc/os-release': 'NAME="Linux"\nID=linux\nPRETTY_NAME="Linux"\n',
}

/** The whole file system in memory, with the files of the record. */
export async function memoryFiles(justBash: JustBash, { limits, umask }: BashRecord): Promise<MemoryFs> {
  const fs = openMemory(justBash, limits, umask ?? 0o022)
  for (const path of DIRECTORIES) await fs.mkdir(path, { recursive: true })
  for (const [path, text] of Object.entries(ETC)) await fs.writeFile(path, text)
  for (const path of ['/dev/urandom', '/dev/random', '/dev/zero']) await fs.writeFile(path, '')
  return fs
}

/** Writes files, and the directories they are in. */
export async function putFiles(fs: IFileSystem, files: BashRecord['files']): Promise<void> {
  for (const [path, content] of files) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    if (folder !== '') await fs.mkdir(folder, { recursive: true })
    await fs.writeFile(path, content)
  }
}
