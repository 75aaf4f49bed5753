import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Mounts a disk of a mebibyte and few names at a directory. @throws where this process may not mount anything */
export function mountSmallDisk(disk: string): void {
  mount('-t', 'tmpfs', '-o', 'size=1m,nr_inodes=64,mode=700', 'tmpfs', disk)
}

/** Has what is mounted at a directory be read, or read and written. */
export function remount(disk: string, access: 'ro' | 'rw'): void {
  mount('-o', `remount,${access}`, disk)
}

/** Leaves neither a name nor a page free. */
export function fill(disk: string): void {
  for (const size of [2 ** 16, 2 ** 12, 0]) {
    try {
      for (let file = 0; ; file++) writeFileSync(join(disk, `fill-${size}-${file}`), Buffer.alloc(size))
    } catch {
      // Full, or too full for files of this size.
    }
  }
}

/** Takes away what fills it. */
export function empty(disk: string): void {
  for (const name of readdirSync(disk)) if (name.startsWith('fill-')) rmSync(join(disk, name))
}

function mount(...args: string[]): void {
  execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
