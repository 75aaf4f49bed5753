import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { program } from '../../fixtures/program.ts'

/** The cells of a process, zombies included. */
export function cellPids(host = process.pid): readonly number[] {
  return childrenOf(host).filter(mayBeCell)
}

/**
 * The children of a process and what the two `bwrap` before a cell have started, from the kernel's own lists: reading about
 * every process of the machine takes fifty times as long, and each test file looks several times.
 */
function childrenOf(pid: number): readonly number[] {
  const children = tasksOf(pid).flatMap((task) => listedBy(pid, task))
  return children.flatMap((child) => (isBubblewrap(child) ? [child, ...childrenOf(child)] : [child]))
}

function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return [] // It has ended.
  }
}

function listedBy(pid: number, task: string): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
  } catch (error) {
    // A thread that has ended has none. A kernel without these lists has them of no thread.
    if (existsSync(`/proc/${pid}/task/${task}`)) throw error
    return []
  }
}

function isBubblewrap(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1') === 'bwrap\n'
  } catch {
    return false // It has ended.
  }
}

/** A zombie has no command line, and a cell's is short: Node and the entry, which is none of our programs. */
function mayBeCell(pid: number): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    if (words[0] === '') return true
    return words[0] === process.execPath && words.length === 3 && !words[1]?.startsWith(program(''))
  } catch {
    return false // It has ended.
  }
}

/** True while there is a process of this id, be it a zombie. */
export function isThere(pid: number): boolean {
  return parentOf(pid) !== undefined
}

function parentOf(pid: number): number | undefined {
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
