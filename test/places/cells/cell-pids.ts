import { readdirSync, readFileSync } from 'node:fs'
import { program } from '../../fixtures/program.ts'

/** The cells of a process, zombies included. */
export function cellPids(host = process.pid): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && mayBeCell(name) && hostOf(Number(name)) === host)
    .map(Number)
}

/** The process that has started a cell: its parent, or that of the two `bwrap` between them. */
function hostOf(pid: number): number | undefined {
  const parent = parentOf(pid)
  return parent === undefined || !isBubblewrap(parent) ? parent : hostOf(parent)
}

function isBubblewrap(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1') === 'bwrap\n'
  } catch {
    return false // It has ended.
  }
}

/** A zombie has no command line, and a cell's is short: Node and the entry, which is none of our programs. */
function mayBeCell(pid: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return words.length <= 3 && !words[1]?.startsWith(program(''))
  } catch {
    return false // It has ended.
  }
}

/** True while there is a process of this id, be it a zombie. */
export function isThere(pid: number): boolean {
  return parentOf(pid) !== undefined
}

function parentOf(pid: number | string): number | undefined {
  try {
    // After the name, which may hold anything: state, parent.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(
      stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .at(1),
    )
  } catch {
    return undefined // It has ended.
  }
}
