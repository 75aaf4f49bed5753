import { lstat, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const STICKY = 0o1000

/**
 * Checks that nobody but this user and root can exchange what a path leads to: each directory on the way belongs
 * to one of them, and others can write in it only where it is sticky.
 *
 * @param path - absolute, without symbolic links: as `realpath` gives it.
 * @throws Error naming the directory at fault.
 */
export async function assertTrustedPath(path: string): Promise<void> {
  const user = process.geteuid?.()
  if (user === undefined) return
  const owners = new Set([0, user, ...(await unmappedOwner())])
  for (const at of fromTheRoot(path)) {
    const { uid, gid, mode, isLink } = await look(at)
    if (isLink) throw new Error(`leads through ${at}, which has become a symbolic link`)
    if (!owners.has(uid)) throw new Error(`leads through ${at}, which belongs to user ${uid}`)
    const others = isOwnGroup(gid, user) ? 0o002 : 0o022
    if ((mode & others) !== 0 && (mode & STICKY) === 0) {
      throw new Error(`leads through ${at}, which other users can write (mode ${(mode & 0o777).toString(8)})`)
    }
  }
}

async function look(path: string) {
  const stat = await lstat(path)
  return { uid: stat.uid, gid: stat.gid, mode: stat.mode, isLink: stat.isSymbolicLink() }
}

/** From the root on: once a directory is found safe, nobody can exchange the next. */
function fromTheRoot(path: string): string[] {
  const way = [path]
  for (let at = path; dirname(at) !== at; at = dirname(at)) way.unshift(dirname(at))
  return way
}

/** Many systems give each user a group of their own, with the same number, and let it write. */
function isOwnGroup(gid: number, user: number): boolean {
  return user !== 0 && gid === user && gid === process.getegid?.()
}

/**
 * In a user namespace (`bwrap`, `unshare -r`) files of the real root show the id that stands for everybody outside:
 * the system's directories cannot be told from others', and no path would do. Where that id is nobody else's, it is
 * taken for root's.
 */
async function unmappedOwner(): Promise<number[]> {
  let map: string
  let overflow: number
  try {
    map = await readFile('/proc/self/uid_map', 'latin1')
    overflow = Number(await readFile('/proc/sys/kernel/overflowuid', 'latin1'))
  } catch {
    // No Linux, or no /proc: every id is what it seems.
    return []
  }
  const ranges = map.trim().split('\n').map(toRange)
  const isMapped = (id: number) => ranges.some(({ first, count }) => id >= first && id < first + count)
  return isMapped(overflow) ? [] : [overflow]
}

/** A line of `uid_map`: the first id inside, the first outside, and how many. */
function toRange(line: string): { first: number; count: number } {
  const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number)
  return { first, count }
}
