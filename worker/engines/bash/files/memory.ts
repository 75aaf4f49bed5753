import type { BashRecord } from '../../../../src/contract/shell-record.ts'
import type { JustBash } from '../just-bash.ts'
import type { MemoryFs } from './memory-fs.ts'
import { openMemory } from './open-memory.ts'
import type { Refuse } from './refusal.ts'

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

/** Files that a system has. They are there whatever `maxFileSize` says. */
const FILES: Readonly<Record<string, string>> = {
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000:user:/home/user:/bin/bash\n',
  '/etc/group': 'root:x:0:\nuser:x:1000:\n',
  '/etc/hostname': 'localhost\n',
  '/etc/hosts': '127.0.0.1\tlocalhost\n',
  '/etc/os-release': 'NAME="Linux"\nID=linux\nPRETTY_NAME="Linux"\n',
  '/dev/urandom': '',
  '/dev/random': '',
  '/dev/zero': '',
}

/** The whole file system in memory, without the files of the record. */
export async function memoryFiles(
  justBash: JustBash,
  { limits, umask }: BashRecord,
  refuse: Refuse,
): Promise<MemoryFs> {
  const fs = openMemory(justBash, limits, umask ?? 0o022, refuse, FILES)
  for (const path of DIRECTORIES) await fs.mkdir(path, { recursive: true })
  return fs
}
