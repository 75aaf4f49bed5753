import { readdirSync, readFileSync } from 'node:fs'

/** The cells of this process: what it has started, maybe in a jail, whose command line is Node and an entry, or that are zombies. */
export function ownCells(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOwnCell(name))
    .map(Number)
}

function isOwnCell(pid: string): boolean {
  try {
    const isShort = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').length <= 3
    return isShort && hostOf(pid) === String(process.pid)
  } catch {
    return false // It has ended.
  }
}

/** The parent, or that of the two `bwrap` between. */
function hostOf(pid: string): string | undefined {
  const [, parent = ''] = /\nPPid:\t(\d+)\n/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return readFileSync(`/proc/${parent}/comm`, 'latin1') === 'bwrap\n' ? hostOf(parent) : parent
}

/** Open file descriptors of this process; looking takes one, which counts. */
export function openFiles(): number {
  return readdirSync('/proc/self/fd').length
}
