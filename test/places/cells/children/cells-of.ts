import { readdirSync, readFileSync } from 'node:fs'

/** The cells of this process: its children whose command line is Node and an entry, or that are zombies. */
export function ownCells(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOwnCell(name))
    .map(Number)
}

function isOwnCell(pid: string): boolean {
  try {
    const isChild = readFileSync(`/proc/${pid}/status`, 'latin1').includes(`\nPPid:\t${process.pid}\n`)
    return isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').length <= 3
  } catch {
    return false // It has ended.
  }
}

/** Open file descriptors of this process; looking takes one, which counts. */
export function openFiles(): number {
  return readdirSync('/proc/self/fd').length
}
